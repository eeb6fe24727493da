import { ask, button, count, isSure, make, notice, say, table } from "./dom.js";
import { call } from "./rest.js";

const pageCount = 50;
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The users of a project, with what an administrator may do. */
export class UserList {
  #project;
  #offset = 0;

  constructor(project) {
    this.#project = `/identitytoolkit.googleapis.com/v1/projects/${encodeURIComponent(project)}`;
    this.email = make("input", {
      type: "search", "aria-label": "Address of a user", placeholder: "ada@example.com" });
    this.list = make("div");
    const find = (event) => {
      event.preventDefault();
      this.#offset = 0;
      this.show().catch((error) => this.list.replaceChildren(notice(error.message)));
    };
    this.element = make(
      "div", {},
      make("form", { class: "row", onsubmit: find },
        button("Add a user", () => this.#add(), { class: "main" }), this.email,
        make("button", { type: "submit" }, "Find")), this.list);
  }

  async show() {
    const email = this.email.value.trim();
    const answer = await call("POST", `${this.#project}/accounts:query`, {
      returnUserInfo: true, limit: String(pageCount), offset: String(this.#offset),
      sortBy: "CREATED_AT", order: "DESC", expression: email ? [{ email }] : undefined });
    const users = answer.userInfo ?? [];
    if (!users.length && !this.#offset) {
      return this.list.replaceChildren(make("p", { class: "quiet" }, "No users."));
    }
    const titles = ["id", "address", "providers", "created", "state", ""];
    this.list.replaceChildren(
      table("Users", titles, make("tbody", {}, users.map((user) => this.#row(user)))),
      make(
        "div", { class: "row" },
        button("Earlier page", () => this.#move(-pageCount), { disabled: !this.#offset }),
        button("Next page", () => this.#move(pageCount), { disabled: users.length < pageCount }),
        make("span", { class: "quiet" }, count(users.length, "user"))));
  }

  #move(step) {
    this.#offset = Math.max(this.#offset + step, 0);
    return this.show();
  }

  #row(user) {
    const providers = (user.providerUserInfo ?? []).map(({ providerId }) => providerId);
    const name = user.email ?? user.phoneNumber ?? user.localId;
    const word = user.disabled ? "Enable" : "Disable";
    return make(
      "tr", {}, make("td", { class: "mono" }, user.localId),
      make("td", {}, user.email ?? user.phoneNumber ?? "", user.emailVerified ? " ✓" : ""),
      make("td", {}, providers.join(", ") || "none"),
      make("td", {}, user.createdAt ? date.format(Number(user.createdAt)) : ""),
      make("td", { class: user.disabled ? "bad" : "good" }, user.disabled ? "disabled" : "enabled"),
      make(
        "td", {}, button(word, () => this.#change(user, { disableUser: !user.disabled }), {
          "aria-label": `${word} ${name}` }), " ",
        button("Delete", () => this.#delete(user, name), {
          class: "bad", "aria-label": `Delete ${name}` })));
  }

  async #change(user, change) {
    await call("POST", `${this.#project}/accounts:update`, { localId: user.localId, ...change });
    await this.show();
  }

  async #delete(user, name) {
    const text = `${name} can't sign in any more. Documents stay.`;
    if (!await isSure("Delete the user?", "Delete", text)) return;
    await call("POST", `${this.#project}/accounts:delete`, { localId: user.localId });
    say(`Deleted ${name}.`);
    await this.show();
  }

  async #add() {
    const email = make("input", { type: "email", "aria-label": "Address", autofocus: true });
    const password = make("input", {
      type: "password", autocomplete: "new-password", "aria-label": "Password" });
    const name = make("input", { "aria-label": "Name" });
    const content = make(
      "div", {}, make("label", { class: "row" }, "Address ", email),
      make("label", { class: "row" }, "Password ", password), make("label", { class: "row" }, "Name ", name));
    const added = await ask("A new user", "Add", content, () => {
      if (!email.value) throw new Error("A user needs an address.");
      return call("POST", `${this.#project}/accounts`, {
        email: email.value, password: password.value || undefined,
        displayName: name.value || undefined });
    });
    if (!added) return;
    say(`Added ${added.email ?? added.localId}.`);
    await this.show();
  }
}
