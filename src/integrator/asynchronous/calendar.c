// SPDX-License-Identifier: MIT
// The event queue of `asynchronous` (calendar.h), which divides time into days. Days are linked lists of pages; only the
// present day is a sorted array, into which events of the same day are inserted.
#include "integrator/asynchronous/calendar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

// Average number of events in a day: they fit on one page, and sorting them is cheap.
static const double events_per_day = 12;

// Days per shortest step: with two, an event never comes twice in one day.
static const double days_per_step = 2;

enum {
    // Most days of a span: 16 MiB for their first pages.
    DAYS_MAX = 1 << 22,
    // Number of events up to which insertion sort is faster than qsort.
    INSERTION_MAX = 40
};

// A strict total order: an event is in the calendar once.
static bool is_before(const carom_calendar_entry *a, const carom_calendar_entry *b) {
    return a->time < b->time || (a->time == b->time && a->event < b->event);
}

carom_status carom_calendar_create(carom_calendar *calendar, int event_count, double span, double busy, double shortest,
                                   carom_error *error) {
    double days = fmax(busy / events_per_day, days_per_step * span / shortest);
    calendar->event_count = event_count;
    calendar->day_count = (int)fmin(fmax(ceil(days), 1), DAYS_MAX);
    calendar->days_per_time = calendar->day_count / span;
    calendar->first = carom_allocate(calendar->day_count, sizeof *calendar->first);
    if (!calendar->first)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the calendar of %d events", event_count);
    carom_calendar_clear(calendar);
    return CAROM_OK;
}

void carom_calendar_release(carom_calendar *calendar) {
    free(calendar->first);
    free(calendar->pages);
    free(calendar->today);
    *calendar = (carom_calendar){0};
}

void carom_calendar_clear(carom_calendar *calendar) {
    memset(calendar->first, -1, (size_t)calendar->day_count * sizeof *calendar->first);
    calendar->today_count = calendar->at = 0;
    calendar->day = -1;
    calendar->page_count = 0;
    calendar->free_page = -1;
}

// Inserts an event into the rest of today.
static bool add_today(carom_calendar *calendar, carom_calendar_entry new) {
    carom_calendar_entry *today =
        carom_grow(calendar->today, calendar->today_count, &calendar->capacity, sizeof *calendar->today);
    if (!today)
        return false;
    calendar->today = today;
    int i = calendar->today_count++;
    for (; i > calendar->at && is_before(&new, &today[i - 1]); i--)
        today[i] = today[i - 1];
    today[i] = new;
    return true;
}

// An empty page; -1 if memory is short.
static int take_page(carom_calendar *calendar) {
    int page = calendar->free_page;
    if (page >= 0) {
        calendar->free_page = calendar->pages[page].before;
        return page;
    }
    carom_calendar_page *pages =
        carom_grow(calendar->pages, calendar->page_count, &calendar->page_capacity, sizeof *calendar->pages);
    if (!pages)
        return -1;
    calendar->pages = pages;
    return calendar->page_count++;
}

bool carom_calendar_add(carom_calendar *calendar, int event, double time) {
    double days = time * calendar->days_per_time;
    // rounding may give a day after the last one
    int day = days < calendar->day_count - 1 ? (int)days : calendar->day_count - 1;
    if (day <= calendar->day)
        return add_today(calendar, (carom_calendar_entry){time, event});
    int page = calendar->first[day];
    if (page < 0 || calendar->pages[page].count == CAROM_CALENDAR_PAGE_SIZE) {
        int fresh = take_page(calendar);
        if (fresh < 0)
            return false;
        calendar->pages[fresh].count = 0;
        calendar->pages[fresh].before = page;
        calendar->first[day] = page = fresh;
    }
    calendar->pages[page].entries[calendar->pages[page].count++] = (carom_calendar_entry){time, event};
    return true;
}

static int compare(const void *a, const void *b) {
    return is_before(a, b) ? -1 : 1;
}

// Sorts a day. Most are in order already: elements with equal steps were added in the order of their numbers.
static void sort(carom_calendar_entry *items, int count) {
    bool sorted = true;
    for (int i = 1; i < count && sorted; i++)
        sorted = is_before(&items[i - 1], &items[i]);
    if (sorted)
        return;
    if (count > INSERTION_MAX) {
        qsort(items, (size_t)count, sizeof *items, compare);
        return;
    }
    for (int i = 1; i < count; i++) {
        carom_calendar_entry item = items[i];
        int j = i;
        for (; j > 0 && is_before(&item, &items[j - 1]); j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

// Opens the next day that has events. False if there is none.
static bool open_day(carom_calendar *calendar) {
    while (++calendar->day < calendar->day_count && calendar->first[calendar->day] < 0)
        ;
    if (calendar->day >= calendar->day_count) {
        calendar->day = calendar->day_count - 1;
        return false;
    }
    int count = 0, first = calendar->first[calendar->day];
    for (int p = first; p >= 0; p = calendar->pages[p].before)
        count += calendar->pages[p].count;
    if (count > calendar->capacity) {
        carom_calendar_entry *today = realloc(calendar->today, 2 * (size_t)count * sizeof *today);
        if (!today) {
            calendar->failed = true;
            return false;
        }
        calendar->today = today;
        calendar->capacity = 2 * (int64_t)count;
    }
    // the pages form a list from the last to the first: read them backwards, so that events keep the order in which they were
    // added
    int at = count;
    for (int p = first, before; p >= 0; p = before) {
        carom_calendar_page *page = &calendar->pages[p];
        before = page->before;
        at -= page->count;
        memcpy(&calendar->today[at], page->entries, (size_t)page->count * sizeof *page->entries);
        page->before = calendar->free_page;
        calendar->free_page = p;
    }
    calendar->first[calendar->day] = -1;
    calendar->today_count = count;
    calendar->at = 0;
    sort(calendar->today, count);
    return true;
}

const carom_calendar_entry *carom_calendar_next(carom_calendar *calendar) {
    if (calendar->at == calendar->today_count && !open_day(calendar))
        return NULL;
    return &calendar->today[calendar->at];
}

void carom_calendar_take(carom_calendar *calendar) {
    calendar->at++;
}
