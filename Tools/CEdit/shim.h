#ifndef HEARTH_CEDIT_SHIM_H
#define HEARTH_CEDIT_SHIM_H
#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

// Swift can't call functions with any number of arguments, as el_set and history are.

typedef char *(*hearth_edit_prompt)(EditLine *);
typedef unsigned char (*hearth_edit_key)(EditLine *, int);

// Begins to edit lines of the terminal. Tab completes, Ctrl-C gives the line up.
static inline EditLine *hearth_edit_begin(
    void *owner, hearth_edit_prompt prompt, hearth_edit_key complete, hearth_edit_key cancel) {
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  EditLine *edit = el_init("hearth", stdin, stdout, stderr);
  if (!edit) return NULL;
  el_set(edit, EL_CLIENTDATA, owner);
  el_set(edit, EL_PROMPT, prompt);
  el_set(edit, EL_EDITOR, "emacs");
  el_set(edit, EL_ADDFN, "hearth-complete", "Completes the word", complete);
  el_set(edit, EL_ADDFN, "hearth-cancel", "Gives the line up", cancel);
  el_set(edit, EL_BIND, "^I", "hearth-complete", NULL);
  el_set(edit, EL_BIND, "^C", "hearth-cancel", NULL);
  el_set(edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
  // While a line is edited, Ctrl-C is a key and no signal.
  el_set(edit, EL_SETTY, "-d", "-isig", NULL);
  el_source(edit, NULL);
  return edit;
}

static inline void *hearth_edit_owner(EditLine *edit) {
  void *owner = NULL;
  el_get(edit, EL_CLIENTDATA, &owner);
  return owner;
}

// Begins a history with the lines of a file, which may be missing.
static inline History *hearth_history_begin(EditLine *edit, int count, const char *file) {
  HistEvent event;
  History *lines = history_init();
  if (!lines) return NULL;
  history(lines, &event, H_SETSIZE, count);
  history(lines, &event, H_SETUNIQUE, 1);
  if (file) history(lines, &event, H_LOAD, file);
  el_set(edit, EL_HIST, history, lines);
  return lines;
}

static inline void hearth_history_add(History *lines, const char *line) {
  HistEvent event;
  history(lines, &event, H_ENTER, line);
}

// Returns whether the file was written.
static inline int hearth_history_save(History *lines, const char *file) {
  HistEvent event;
  return history(lines, &event, H_SAVE, file) >= 0;
}

#endif
