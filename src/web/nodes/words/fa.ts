// Words of nodes, in Persian.
import type { Typed } from "../../words/language.ts";
import type * as english from "./en.ts";

export { page } from "./page/fa.ts";

export const titles: Typed<typeof english.titles> = {
  nodes: "گره‌ها",
  firstNode: "گام‌های نخست",
  newNode: "افزودن گره",
};

export const settingLabels: Typed<typeof english.settingLabels> = {
  node_health_retention_days: "روزهای نگهداری وضعیت گره‌ها",
  ip_limit_newest: "هنگام پر بودن سقف نشانی‌های همزمان، نشانی تازه جای قدیمی‌ترین را می‌گیرد",
  alert_disk_percent: "هشدار پر شدن دیسک (درصد)",
  alert_memory_percent: "هشدار پر شدن حافظه (درصد)",
  alert_rejected_per_hour: "اتصال‌های ردشده در ساعت",
};

export const families: Typed<typeof english.families> = { node: "گره‌ها" };

export const raised: Typed<typeof english.raised> = {
  "node.connected": "متصل شد",
  "node.disconnected": "اتصال قطع شد",
  "node.limit_reached": "سقف مصرف پر شد و خاموش شد",
  "node.usage_refused": "مصرف پذیرفته نشد: گره چیزی گزارش کرد که نمی‌تواند برده باشد",
  "node.disk_high": "دیسک رو به پر شدن است",
  "node.disk_recovered": "دیسک دوباره جا دارد",
  "node.memory_high": "حافظه رو به پر شدن است",
  "node.memory_recovered": "حافظه دوباره جا دارد",
  "node.rejections_high": "اتصال‌های بسیاری رد شد",
};

export const subjects: Typed<typeof english.subjects> = {
  nodes: "گره",
};

export const actions: Typed<typeof english.actions> = {
  sync: "پیکربندی سنجیده و فرستاده شد",
  reconnect: "اتصال تازه درخواست شد",
  repin: "به کلید تازه اعتماد شد",
  move: "به سرور دیگری برده شد",
};

export const refusals: Typed<typeof english.refusals> = {
  node_off: "گره خاموش است: یک شخص، سقف مصرف یا لایسنس آن را خاموش نگه داشته است.",
  node_on: "نشانی گرهٔ روشن فقط با جابه‌جایی گره تغییر می‌کند.",
  agent_taken: "گرهٔ روشن دیگری همین نشانی و درگاه را دارد.",
};

export const actors: Typed<typeof english.actors> = {
  node: {
    name: "گره‌ها",
    states: {
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
      "linked.refused": "ایجنت پاسخ می‌دهد، اما موتورش پیکربندی را رد می‌کند؛ آنچه پیش‌تر اجرا می‌شد ادامه دارد.",
      "linked.refused.waiting": "موتور پیکربندی را رد کرد؛ بعداً، و با هر تغییر پیکربندی بی‌درنگ، دوباره پرسیده می‌شود.",
      "linked.refused.trying": "از موتور دوباره پرسیده می‌شود که پیکربندی را می‌پذیرد یا نه.",
      restarting: "این اتصال جای خود را به اتصالی تازه می‌دهد؛ در همان گام تمام می‌شود.",
      error: "گره به هیچ ایجنتی وصل نیست؛ آخرین پیکربندی همچنان آنجا اجرا می‌شود.",
      "error.waiting": "ایجنت در دسترس نبود؛ زمان تلاش بعدی تعیین شده است.",
      "error.duplicate":
        "ایجنتی که پاسخ می‌دهد به گرهٔ دیگری سرویس می‌دهد و نزد آن می‌ماند؛ زمان نگاه بعدی تعیین شده و با رها شدن ایجنت بی‌درنگ انجام می‌شود.",
      "error.mismatched":
        "ایجنتی پاسخ می‌دهد که کلیدش جز کلید ذخیره‌شده است؛ پنل منتظر می‌ماند تا به کلید تازه اعتماد شود یا گره جابه‌جا شود.",
    },
    events: {
      due: "سقف یا دوره سر رسید",
      edited: "تنظیمات تغییر کرد",
      "link.lost": "ایجنت در دسترس نبود",
      "link.mismatched": "کلید دیگری پاسخ داد",
      "link.refused": "موتور پیکربندی را رد کرد",
      "link.duplicate": "ایجنت به گرهٔ دیگری سرویس می‌دهد",
      "link.freed": "ایجنت آزاد شد",
      "link.opened": "ایجنت پاسخ داد",
      "link.synced": "ایجنت پیکربندی را گرفت",
      "link.warned": "هشدارها تغییر کرد",
      moved: "به سرور دیگری رفت",
      reconnect: "اتصال دوباره خواسته شد",
      repinned: "به کلید تازه اعتماد شد",
      switchOff: "خاموش شد",
      switchOn: "روشن شد",
    },
    dues: { "disabled.limit": "به سقف مصرف رسید", "disabled.licence": "لایسنس آن را در بر نمی‌گیرد" },
    deadlines: {
      dialDeadline: "ایجنت به‌موقع پاسخ نداد",
      syncDeadline: "ایجنت پیکربندی را به‌موقع نگرفت",
      backoff: "زمان تلاش بعدی رسید",
    },
    effects: { link: "اتصال به ایجنت", turn: "انتظار برای ایجنت" },
    guards: {
      off: "یک شخص آن را خاموش کرده",
      limited: "سقف مصرف پر شده",
      unlicensed: "لایسنس آن را در بر نمی‌گیرد",
      mayRun: "چیزی آن را خاموش نگه نمی‌دارد",
    },
  },
};
