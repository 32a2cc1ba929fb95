import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

/** The default theme without its fonts: the fonts of the system are there at once. */
export default DefaultTheme;
