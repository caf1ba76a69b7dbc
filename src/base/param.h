// SPDX-License-Identifier: MIT
// Functions on parameter tables (carom/param.h) that the library needs in addition to the public ones.
#ifndef CAROM_BASE_PARAM_H
#define CAROM_BASE_PARAM_H

#include <stddef.h>
#include <stdint.h>

#include "carom/param.h"

// Members of a carom_kind: its table, whose parameters are those of the struct `owner`.
#define CAROM_PARAMS(table, owner) .params = table, .param_count = sizeof(table) / sizeof *(table), .params_size = sizeof(owner)

// One row of a parameter table: the field `member` of the struct `owner`, named as the field. Type and unit come first, then
// the default, the range and the text of the manual as designated initialisers. CAROM_ROW_NAMED is for names with hyphens.
// clang-format off
#define CAROM_ROW(owner, member, type_, unit_, ...) CAROM_ROW_NAMED(#member, owner, member, type_, unit_, __VA_ARGS__)
#define CAROM_ROW_NAMED(name_, owner, member, type_, unit_, ...) \
    {.name = name_, .type = type_, .offset = offsetof(owner, member), .unit = unit_, __VA_ARGS__}
// clang-format on

// Size of a field of this type in bytes.
size_t carom_param_size(carom_param_type type);

// Continues `hash` over the fields of a table in order, without the padding between fields.
uint64_t carom_param_hash(uint64_t hash, const carom_param *params, int count, const void *fields);

#endif
