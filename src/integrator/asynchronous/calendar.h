// SPDX-License-Identifier: MIT
// Event queue for one span of time, a calendar queue (Brown 1988): earliest event first, ties by number, independent of the
// order in which events were added.
//
// The span is divided into days of equal length. A day is sorted when it is reached, so an event costs a constant plus the
// logarithm of the number of events of its day. Days are shorter than most steps of events: an event that is added again goes
// to a later day, and seldom to the present one.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_CALENDAR_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

typedef struct carom_calendar_entry {
    double time;
    int event;
} carom_calendar_entry;

enum { CAROM_CALENDAR_PAGE_SIZE = 15 };

// Up to CAROM_CALENDAR_PAGE_SIZE events of one day.
typedef struct carom_calendar_page {
    int count;
    int before; // the previous, full page of the same day, -1 if none
    carom_calendar_entry entries[CAROM_CALENDAR_PAGE_SIZE];
} carom_calendar_page;

// Start from {0}.
typedef struct carom_calendar {
    int event_count;
    int day_count;
    double days_per_time;
    int *first; // per day: its last page, -1 if none
    carom_calendar_page *pages;
    int64_t page_capacity;
    int page_count, free_page;   // number of pages used so far; first page of the list of free ones, -1 if none
    carom_calendar_entry *today; // events of today, sorted
    int64_t capacity;
    int today_count, at; // number of events of today, and index of the next one
    int day;             // today
    bool failed;         // no memory to open a day
} carom_calendar;

// Allocates a queue for events 0 ... event_count - 1 in spans of the given length. `busy`: estimated number of events in a
// span; `shortest`: about the shortest interval between two occurrences of an event.
carom_status carom_calendar_create(carom_calendar *calendar, int event_count, double span, double busy, double shortest,
                                   carom_error *error);
void carom_calendar_release(carom_calendar *calendar);

// Removes all events, at the beginning of a span.
void carom_calendar_clear(carom_calendar *calendar);

// Adds an event that is not in the calendar. The time counts from the beginning of the span and is not before the last event
// taken. False if memory is short.
bool carom_calendar_add(carom_calendar *calendar, int event, double time);

// The earliest event, or NULL if there is none (or calendar->failed); valid until the next call. It stays in the
// calendar until carom_calendar_take.
const carom_calendar_entry *carom_calendar_next(carom_calendar *calendar);
void carom_calendar_take(carom_calendar *calendar);

// For prefetching the data of events: the last page of the day `days` after the present one, unsorted; NULL if it has none.
static inline const carom_calendar_page *carom_calendar_peek(const carom_calendar *calendar, int days) {
    int day = calendar->day + days;
    return day < calendar->day_count && calendar->first[day] >= 0 ? &calendar->pages[calendar->first[day]] : NULL;
}

// The page of the same day before this one; NULL if there is none.
static inline const carom_calendar_page *carom_calendar_before(const carom_calendar *calendar,
                                                               const carom_calendar_page *page) {
    return page->before >= 0 ? &calendar->pages[page->before] : NULL;
}

// The event `ahead` places after the next one of today, or -1.
static inline int carom_calendar_ahead(const carom_calendar *calendar, int ahead) {
    int i = calendar->at + ahead;
    return i < calendar->today_count ? calendar->today[i].event : -1;
}

#endif
