#include "pages.h"

#include <string.h>

static const unsigned char address_js[] = {
#embed "pages/address.js"
};
static const unsigned char builds_js[] = {
#embed "pages/builds.js"
};
static const unsigned char channel_js[] = {
#embed "pages/channel.js"
};
static const unsigned char code_js[] = {
#embed "pages/code.js"
};
static const unsigned char conditions_js[] = {
#embed "pages/conditions.js"
};
static const unsigned char console_css[] = {
#embed "pages/console.css"
};
static const unsigned char data_js[] = {
#embed "pages/data.js"
};
static const unsigned char dom_js[] = {
#embed "pages/dom.js"
};
static const unsigned char editor_js[] = {
#embed "pages/editor.js"
};
static const unsigned char health_js[] = {
#embed "pages/health.js"
};
static const unsigned char icon_svg[] = {
#embed "pages/icon.svg"
};
static const unsigned char index_html[] = {
#embed "pages/index.html"
};
static const unsigned char indexes_js[] = {
#embed "pages/indexes.js"
};
static const unsigned char list_js[] = {
#embed "pages/list.js"
};
static const unsigned char main_js[] = {
#embed "pages/main.js"
};
static const unsigned char plan_js[] = {
#embed "pages/plan.js"
};
static const unsigned char query_js[] = {
#embed "pages/query.js"
};
static const unsigned char requests_js[] = {
#embed "pages/requests.js"
};
static const unsigned char rest_js[] = {
#embed "pages/rest.js"
};
static const unsigned char rules_js[] = {
#embed "pages/rules.js"
};
static const unsigned char token_js[] = {
#embed "pages/token.js"
};
static const unsigned char users_js[] = {
#embed "pages/users.js"
};
static const unsigned char values_js[] = {
#embed "pages/values.js"
};

static const struct hearth_page pages[] = {
    {"address.js", "text/javascript; charset=utf-8", address_js, sizeof address_js},
    {"builds.js", "text/javascript; charset=utf-8", builds_js, sizeof builds_js},
    {"channel.js", "text/javascript; charset=utf-8", channel_js, sizeof channel_js},
    {"code.js", "text/javascript; charset=utf-8", code_js, sizeof code_js},
    {"conditions.js", "text/javascript; charset=utf-8", conditions_js, sizeof conditions_js},
    {"console.css", "text/css; charset=utf-8", console_css, sizeof console_css},
    {"data.js", "text/javascript; charset=utf-8", data_js, sizeof data_js},
    {"dom.js", "text/javascript; charset=utf-8", dom_js, sizeof dom_js},
    {"editor.js", "text/javascript; charset=utf-8", editor_js, sizeof editor_js},
    {"health.js", "text/javascript; charset=utf-8", health_js, sizeof health_js},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"indexes.js", "text/javascript; charset=utf-8", indexes_js, sizeof indexes_js},
    {"list.js", "text/javascript; charset=utf-8", list_js, sizeof list_js},
    {"main.js", "text/javascript; charset=utf-8", main_js, sizeof main_js},
    {"plan.js", "text/javascript; charset=utf-8", plan_js, sizeof plan_js},
    {"query.js", "text/javascript; charset=utf-8", query_js, sizeof query_js},
    {"requests.js", "text/javascript; charset=utf-8", requests_js, sizeof requests_js},
    {"rest.js", "text/javascript; charset=utf-8", rest_js, sizeof rest_js},
    {"rules.js", "text/javascript; charset=utf-8", rules_js, sizeof rules_js},
    {"token.js", "text/javascript; charset=utf-8", token_js, sizeof token_js},
    {"users.js", "text/javascript; charset=utf-8", users_js, sizeof users_js},
    {"values.js", "text/javascript; charset=utf-8", values_js, sizeof values_js},
};

const struct hearth_page *hearth_page_named(const char *name) {
    for (size_t index = 0; index < sizeof pages / sizeof *pages; index += 1) {
        if (strcmp(pages[index].name, name) == 0) return &pages[index];
    }
    return NULL;
}
