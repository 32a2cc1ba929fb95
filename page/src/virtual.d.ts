declare module "virtual:export.css";
