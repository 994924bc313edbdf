#pragma once
/* Linked lists of four kinds. An element has an entry; `next` leads on, and what comes before is known by the
   address of the pointer that leads here (`prev`), so that taking an element out needs no search. */

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { (void *)0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_INIT(head) ((void)((head)->slh_first = (void *)0))
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == (void *)0)
#define SLIST_NEXT(e, field) ((e)->field.sle_next)
#define SLIST_FOREACH(v, head, field) for ((v) = SLIST_FIRST(head); (v); (v) = SLIST_NEXT(v, field))
#define SLIST_FOREACH_SAFE(v, head, field, t) \
    for ((v) = SLIST_FIRST(head); (v) && ((t) = SLIST_NEXT(v, field), 1); (v) = (t))
#define SLIST_INSERT_HEAD(head, e, field) \
    do { SLIST_NEXT(e, field) = SLIST_FIRST(head); SLIST_FIRST(head) = (e); } while (0)
#define SLIST_INSERT_AFTER(at, e, field) \
    do { SLIST_NEXT(e, field) = SLIST_NEXT(at, field); SLIST_NEXT(at, field) = (e); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field); } while (0)
#define SLIST_REMOVE_AFTER(at, field) do { SLIST_NEXT(at, field) = SLIST_NEXT(SLIST_NEXT(at, field), field); } while (0)
#define SLIST_REMOVE(head, e, type, field) \
    do { \
        struct type **__lineal_at = &SLIST_FIRST(head); \
        while (*__lineal_at != (e)) __lineal_at = &SLIST_NEXT(*__lineal_at, field); \
        *__lineal_at = SLIST_NEXT(e, field); \
    } while (0)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { (void *)0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_INIT(head) ((void)((head)->lh_first = (void *)0))
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_EMPTY(head) (LIST_FIRST(head) == (void *)0)
#define LIST_NEXT(e, field) ((e)->field.le_next)
#define LIST_FOREACH(v, head, field) for ((v) = LIST_FIRST(head); (v); (v) = LIST_NEXT(v, field))
#define LIST_FOREACH_SAFE(v, head, field, t) \
    for ((v) = LIST_FIRST(head); (v) && ((t) = LIST_NEXT(v, field), 1); (v) = (t))
#define LIST_INSERT_HEAD(head, e, field) \
    do { \
        LIST_NEXT(e, field) = LIST_FIRST(head); \
        (e)->field.le_prev = &LIST_FIRST(head); \
        if (LIST_NEXT(e, field)) LIST_NEXT(e, field)->field.le_prev = &LIST_NEXT(e, field); \
        LIST_FIRST(head) = (e); \
    } while (0)
#define LIST_INSERT_AFTER(at, e, field) \
    do { \
        LIST_NEXT(e, field) = LIST_NEXT(at, field); \
        (e)->field.le_prev = &LIST_NEXT(at, field); \
        if (LIST_NEXT(e, field)) LIST_NEXT(e, field)->field.le_prev = &LIST_NEXT(e, field); \
        LIST_NEXT(at, field) = (e); \
    } while (0)
#define LIST_INSERT_BEFORE(at, e, field) \
    do { \
        (e)->field.le_prev = (at)->field.le_prev; \
        LIST_NEXT(e, field) = (at); \
        *(at)->field.le_prev = (e); \
        (at)->field.le_prev = &LIST_NEXT(e, field); \
    } while (0)
#define LIST_REMOVE(e, field) \
    do { \
        if (LIST_NEXT(e, field)) LIST_NEXT(e, field)->field.le_prev = (e)->field.le_prev; \
        *(e)->field.le_prev = LIST_NEXT(e, field); \
    } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { (void *)0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_INIT(head) do { (head)->stqh_first = (void *)0; (head)->stqh_last = &(head)->stqh_first; } while (0)
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == (void *)0)
#define STAILQ_NEXT(e, field) ((e)->field.stqe_next)
#define STAILQ_FOREACH(v, head, field) for ((v) = STAILQ_FIRST(head); (v); (v) = STAILQ_NEXT(v, field))
#define STAILQ_FOREACH_SAFE(v, head, field, t) \
    for ((v) = STAILQ_FIRST(head); (v) && ((t) = STAILQ_NEXT(v, field), 1); (v) = (t))
#define STAILQ_INSERT_HEAD(head, e, field) \
    do { \
        STAILQ_NEXT(e, field) = STAILQ_FIRST(head); \
        if (!STAILQ_NEXT(e, field)) (head)->stqh_last = &STAILQ_NEXT(e, field); \
        STAILQ_FIRST(head) = (e); \
    } while (0)
#define STAILQ_INSERT_TAIL(head, e, field) \
    do { \
        STAILQ_NEXT(e, field) = (void *)0; \
        *(head)->stqh_last = (e); \
        (head)->stqh_last = &STAILQ_NEXT(e, field); \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
    do { \
        STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field); \
        if (!STAILQ_FIRST(head)) (head)->stqh_last = &STAILQ_FIRST(head); \
    } while (0)
#define SIMPLEQ_HEAD STAILQ_HEAD
#define SIMPLEQ_ENTRY STAILQ_ENTRY
#define SIMPLEQ_INIT STAILQ_INIT
#define SIMPLEQ_FIRST STAILQ_FIRST
#define SIMPLEQ_EMPTY STAILQ_EMPTY
#define SIMPLEQ_NEXT STAILQ_NEXT
#define SIMPLEQ_FOREACH STAILQ_FOREACH
#define SIMPLEQ_INSERT_HEAD STAILQ_INSERT_HEAD
#define SIMPLEQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define SIMPLEQ_REMOVE_HEAD STAILQ_REMOVE_HEAD

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { (void *)0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_INIT(head) do { (head)->tqh_first = (void *)0; (head)->tqh_last = &(head)->tqh_first; } while (0)
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == (void *)0)
#define TAILQ_NEXT(e, field) ((e)->field.tqe_next)
#define TAILQ_LAST(head, name) (*(((struct name *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(e, name, field) (*(((struct name *)((e)->field.tqe_prev))->tqh_last))
#define TAILQ_FOREACH(v, head, field) for ((v) = TAILQ_FIRST(head); (v); (v) = TAILQ_NEXT(v, field))
#define TAILQ_FOREACH_SAFE(v, head, field, t) \
    for ((v) = TAILQ_FIRST(head); (v) && ((t) = TAILQ_NEXT(v, field), 1); (v) = (t))
#define TAILQ_FOREACH_REVERSE(v, head, name, field) \
    for ((v) = TAILQ_LAST(head, name); (v); (v) = TAILQ_PREV(v, name, field))
#define TAILQ_INSERT_HEAD(head, e, field) \
    do { \
        TAILQ_NEXT(e, field) = TAILQ_FIRST(head); \
        if (TAILQ_NEXT(e, field)) TAILQ_NEXT(e, field)->field.tqe_prev = &TAILQ_NEXT(e, field); \
        else (head)->tqh_last = &TAILQ_NEXT(e, field); \
        TAILQ_FIRST(head) = (e); \
        (e)->field.tqe_prev = &TAILQ_FIRST(head); \
    } while (0)
#define TAILQ_INSERT_TAIL(head, e, field) \
    do { \
        TAILQ_NEXT(e, field) = (void *)0; \
        (e)->field.tqe_prev = (head)->tqh_last; \
        *(head)->tqh_last = (e); \
        (head)->tqh_last = &TAILQ_NEXT(e, field); \
    } while (0)
#define TAILQ_INSERT_AFTER(head, at, e, field) \
    do { \
        TAILQ_NEXT(e, field) = TAILQ_NEXT(at, field); \
        if (TAILQ_NEXT(e, field)) TAILQ_NEXT(e, field)->field.tqe_prev = &TAILQ_NEXT(e, field); \
        else (head)->tqh_last = &TAILQ_NEXT(e, field); \
        TAILQ_NEXT(at, field) = (e); \
        (e)->field.tqe_prev = &TAILQ_NEXT(at, field); \
    } while (0)
#define TAILQ_REMOVE(head, e, field) \
    do { \
        if (TAILQ_NEXT(e, field)) TAILQ_NEXT(e, field)->field.tqe_prev = (e)->field.tqe_prev; \
        else (head)->tqh_last = (e)->field.tqe_prev; \
        *(e)->field.tqe_prev = TAILQ_NEXT(e, field); \
    } while (0)
