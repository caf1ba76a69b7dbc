// SPDX-License-Identifier: MIT
// A calendar of events within one span of time, earliest first and ties by number, whatever the order in which they were
// written down (a calendar queue).
//
// The span is divided into days of equal length. A day is sorted when it comes, so an event costs a constant plus the logarithm
// of the number of events of its own day. Days are shorter than most steps of events: an event that is written down again goes
// to a later day, and seldom into the present one.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_CALENDAR_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

typedef struct carom_appointment {
    double time;
    int event;
} carom_appointment;

enum { CAROM_CALENDAR_LINES = 15 };

// Room for some events of one day.
typedef struct carom_calendar_page {
    int count;
    int before; // the page of the same day that is full, -1 if none
    carom_appointment lines[CAROM_CALENDAR_LINES];
} carom_calendar_page;

// Start from {0}.
typedef struct carom_calendar {
    int event_count;
    int day_count;
    double days_per_time;
    int *first; // per day: its page with free lines, -1 if none
    carom_calendar_page *pages;
    int64_t page_capacity;
    int page_count, free_page; // pages ever used, and the first of those that are free again, -1 if none
    carom_appointment *today;  // in order
    int64_t capacity;
    int today_count, at; // how many, and the first that is still to come
    int day;             // the present one
    bool failed;         // memory was short: a day could not be opened
} carom_calendar;

// Room for events 0 ... event_count - 1 in spans of the given length, `busy` of them in a span (an estimate), steps not much
// shorter than `shortest`.
carom_status carom_calendar_create(carom_calendar *calendar, int event_count, double span, double busy, double shortest,
                                   carom_error *error);
void carom_calendar_release(carom_calendar *calendar);

// Begins a new span, with no events.
void carom_calendar_clear(carom_calendar *calendar);

// Writes down an event that is not in the calendar. The time counts from the beginning of the span and is not before the last
// event taken. False if memory is short.
bool carom_calendar_add(carom_calendar *calendar, int event, double time);

// The earliest event, or NULL if there is none (or calendar->failed); valid until the next call. It stays until it is taken.
const carom_appointment *carom_calendar_next(carom_calendar *calendar);
void carom_calendar_take(carom_calendar *calendar);

// For prefetching the data of events. The last page of a day to come, in no order; NULL if it has none.
static inline const carom_calendar_page *carom_calendar_peek(const carom_calendar *calendar, int days) {
    int day = calendar->day + days;
    return day < calendar->day_count && calendar->first[day] >= 0 ? &calendar->pages[calendar->first[day]] : NULL;
}

// The page of the same day before this one; NULL if there is none.
static inline const carom_calendar_page *carom_calendar_before(const carom_calendar *calendar,
                                                               const carom_calendar_page *page) {
    return page->before >= 0 ? &calendar->pages[page->before] : NULL;
}

// The event that comes `ahead` places after the next one today, or -1.
static inline int carom_calendar_ahead(const carom_calendar *calendar, int ahead) {
    int i = calendar->at + ahead;
    return i < calendar->today_count ? calendar->today[i].event : -1;
}

#endif
