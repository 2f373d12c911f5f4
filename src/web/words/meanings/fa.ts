// What the names of the charts mean, in Persian.
import type { Typed } from "../language.ts";
import type { meanings as english } from "./en.ts";

export const meanings: Typed<typeof english> = {
  states: {
    node: {
      deciding: "بررسی می‌شود که گره باید کار کند یا نه؛ در همان گام تمام می‌شود.",
      disabled: "گره کار نمی‌کند: کسی، سقف مصرف یا لایسنس آن را خاموش نگه داشته است.",
      "disabled.manual": "کسی گره را خاموش کرده است.",
      "disabled.limit": "سقف مصرف دوره پر شده است؛ با دورهٔ تازه یا سقف بالاتر برمی‌گردد.",
      "disabled.licence": "گره بیرون از سقف لایسنس است؛ با لایسنس بزرگ‌تر برمی‌گردد.",
      linked: "گره باید کار کند: اتصال به ایجنت آن برقرار است یا دارد برقرار می‌شود.",
      "linked.connecting": "اتصال دارد برقرار می‌شود: نخست تماس با ایجنت، سپس فرستادن پیکربندی.",
      "linked.connecting.dialing": "در حال تماس با ایجنت: TLS، بررسی کلید، سلام.",
      "linked.connecting.syncing": "ایجنت دارد پیکربندی را می‌گیرد.",
      "linked.connected": "ایجنت پاسخ می‌دهد و هر چه خواسته شده اجرا می‌کند، جز آنچه در هشدارها آمده است.",
      restarting: "این اتصال جای خود را به اتصالی تازه می‌دهد؛ در همان گام تمام می‌شود.",
      error: "ایجنت در دسترس نیست؛ آخرین پیکربندی همچنان آنجا اجرا می‌شود.",
      "error.waiting": "ایجنت در دسترس نبود؛ زمان تلاش بعدی تعیین شده است.",
      "error.mismatched": "گواهی دیگری جز گواهی ثبت‌شده پاسخ می‌دهد؛ پنل منتظر ثبت دوبارهٔ کلید یا جابه‌جایی گره است.",
    },
    user: {
      enabled: "این حساب قابل استفاده است.",
      "enabled.deciding": "سقف‌ها بررسی می‌شوند؛ در همان گام تمام می‌شود.",
      "enabled.waiting": "زمان پلن هنوز آغاز نشده است: با نخستین ترافیک آغاز می‌شود.",
      "enabled.started": "حساب در حال استفاده و درون سقف‌های خود است.",
      disabled: "حساب قابل استفاده نیست: کسی، سقف‌های خودش یا نماینده‌اش آن را خاموش نگه داشته است.",
      "disabled.manual": "کسی حساب را خاموش کرده است؛ پنل هرگز خودش روشنش نمی‌کند.",
      "disabled.volume": "حجم حساب تمام شده است؛ با صفر شدن مصرف، تمدید یا حجم بیشتر برمی‌گردد.",
      "disabled.expiry": "تاریخ حساب گذشته است؛ با تمدید یا تاریخی دیرتر برمی‌گردد.",
      "disabled.resaleVolume": "نمایندهٔ صاحب حساب سهمیهٔ خود را تمام کرده است.",
      "disabled.resaleExpiry": "حساب نمایندهٔ صاحب آن منقضی شده است.",
    },
  },
  events: {
    node: {
      due: "سقف یا دوره سر رسید",
      edited: "تنظیمات تغییر کرد",
      "link.lost": "ایجنت در دسترس نبود",
      "link.mismatched": "گواهی دیگری پاسخ داد",
      "link.opened": "ایجنت پاسخ داد",
      "link.synced": "ایجنت پیکربندی را گرفت",
      "link.warned": "هشدارها تغییر کرد",
      moved: "به سرور دیگری رفت",
      reconnect: "اتصال دوباره خواسته شد",
      repinned: "به کلید تازه اعتماد شد",
      switchOff: "خاموش شد",
      switchOn: "روشن شد",
    },
    user: {
      due: "به سقف یا تاریخی رسید",
      edited: "سقف‌ها تغییر کرد",
      renewed: "تمدید شد",
      switchOff: "خاموش شد",
      switchOn: "روشن شد",
      usageReset: "مصرف صفر شد",
    },
  },
  /** What `due` is called by the state that it led to. */
  dues: {
    node: { "disabled.limit": "به سقف مصرف رسید", "disabled.licence": "لایسنس آن را در بر نمی‌گیرد" },
    user: {
      "disabled.volume": "به سقف حجم رسید",
      "disabled.expiry": "به تاریخ پایان رسید",
      "disabled.resaleVolume": "سهم نماینده تمام شد",
      "disabled.resaleExpiry": "حساب نماینده پایان یافت",
    },
  },
  deadlines: {
    node: {
      dialDeadline: "ایجنت به‌موقع پاسخ نداد",
      syncDeadline: "ایجنت پیکربندی را به‌موقع نگرفت",
      backoff: "زمان تلاش بعدی رسید",
    },
    user: {},
  },
  effects: { node: { link: "اتصال به ایجنت" }, user: {} },
};
