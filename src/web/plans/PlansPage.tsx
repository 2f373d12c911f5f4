// All plans in the order in which they are offered.
import { Button } from "@mantine/core";
import { IconArrowsSort, IconPackage } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../format/use-format.ts";
import { ListPage } from "../parts/ListPage.tsx";
import { Name } from "../parts/Names.tsx";
import type { Column } from "../parts/table/columns.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useTemplates } from "./use-templates.ts";
import { useWords } from "../words/words.ts";
import { OrderDialog } from "./OrderDialog.tsx";
import { usePlans, type Plan } from "./plan.ts";
import { usePlanVerbs, useWritesPlans } from "./use-plan-verbs.tsx";

/** The route has one order, that of the plans. */
const DEFAULTS = { sort: "", order: "asc" } as const;

export default function PlansPage() {
  const words = useWords("plans");
  const writes = useWritesPlans();
  const plans = usePlans();
  const [ordering, setOrdering] = useState(false);
  return (
    <>
      <ListPage<Plan>
        id="plans"
        title={words.title}
        path="/plans"
        query={useListQuery(DEFAULTS)}
        count={words.count}
        create={writes && { href: "/plans/new", label: words.add }}
        head={
          writes && plans.length > 1 ? (
            <Button
              variant="default"
              leftSection={<IconArrowsSort size={16} aria-hidden />}
              onClick={() => setOrdering(true)}
            >
              {words.order}
            </Button>
          ) : null
        }
        columns={useColumns()}
        rowLabel={({ name }) => name}
        href={({ id }) => `/plans/${id}`}
        verbs={usePlanVerbs()}
        search={words.search}
        empty={{
          title: words.noneTitle,
          text: writes ? words.noneText : words.noneGranted,
          icon: <IconPackage size={32} stroke={1.4} aria-hidden />,
        }}
      />
      {ordering ? <OrderDialog plans={plans} onClose={() => setOrdering(false)} /> : null}
    </>
  );
}

function useColumns(): readonly Column<Plan>[] {
  const words = useWords("plans");
  const users = useWords("users");
  const format = useFormat();
  const { nameOf } = useTemplates();
  return [
    {
      id: "name",
      header: words.fields.name,
      card: "title",
      text: ({ name }) => name,
      cell: ({ name }) => <Name>{name}</Name>,
    },
    {
      id: "volume",
      header: users.fields.volume,
      align: "end",
      width: 130,
      text: ({ volume }) => volume,
      cell: ({ volume }) => (volume === 0 ? users.noLimit : format.bytes(volume)),
    },
    {
      id: "days",
      header: words.fields.days,
      width: 190,
      text: ({ days }) => days,
      cell: ({ days, onFirstUse }) =>
        days === 0
          ? users.noEnd
          : onFirstUse
            ? words.fromFirstUse(days, format.number(days))
            : words.dayCount(days, format.number(days)),
    },
    {
      id: "devices",
      header: users.fields.deviceLimit,
      align: "end",
      width: 110,
      above: 800,
      text: ({ deviceLimit }) => deviceLimit,
      cell: ({ deviceLimit }) => (deviceLimit === 0 ? users.noLimit : format.number(deviceLimit)),
    },
    {
      id: "templates",
      header: users.fields.templateIds,
      above: 1000,
      text: ({ templateIds }) => templateIds.join(" "),
      cell: ({ allTemplates, templateIds }) =>
        allTemplates ? words.allTemplates : <bdi>{templateIds.map(nameOf).join(", ")}</bdi>,
    },
    {
      id: "group",
      header: words.fields.group,
      width: 140,
      above: 1000,
      text: ({ group }) => group,
      cell: ({ group }) => <bdi>{group}</bdi>,
    },
  ];
}
