// A page in a frame may be told which colours to take: those of the page around it, instead of the system's.
{
  const nights = [...document.styleSheets].flatMap((o) => [...o.cssRules]).filter((o) => /prefers-color-scheme/.test(o.media?.mediaText));
  addEventListener("message", ({ data }) => {
    if (!["light", "dark"].includes(data?.theme)) return;
    for (const rule of nights) rule.media.mediaText = data.theme === "dark" ? "all" : "not all";
    document.documentElement.style.colorScheme = data.theme;
    dispatchEvent(new Event("repaint"));
  });
}
