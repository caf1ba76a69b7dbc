// SPDX-License-Identifier: MIT
// Arrays of numbers in VTK's XML files: as text, or as bytes that are raw, in base64, or compressed by zlib.
#ifndef CAROM_MESH_FILES_XML_ARRAY_H
#define CAROM_MESH_FILES_XML_ARRAY_H

#include "mesh/files/draft.h"

// "Float64" and so on; CAROM_NUMBER_TYPES if it is no type.
carom_number_type carom_xml_find_type(carom_words name);

// The form in which a file stores its arrays.
typedef struct carom_xml_form {
    int header_bytes;              // size of the numbers that state lengths, 4 or 8
    bool packed;                   // by zlib
    bool appended_base64;          // the appended data are text
    const unsigned char *appended; // behind the '_'; NULL: nothing is appended
    int64_t unpack_left;           // bytes left for unpacked arrays and data made of them
} carom_xml_form;

// An array of a file. `bytes` are plain, in the byte order of the scan.
typedef struct carom_xml_array {
    carom_number_type type;
    const unsigned char *bytes;
    int64_t count;        // numbers
    unsigned char *owned; // freed by release; NULL if the bytes are those of the file
} carom_xml_array;

// Finds the bytes of an array that begin at `at`, as base64 text or (raw) plainly.
bool carom_xml_array_load(carom_reader *reader, carom_xml_form *form, const unsigned char *at, bool base64,
                          carom_number_type type, carom_xml_array *array);
void carom_xml_array_release(carom_xml_array *array);

double carom_xml_array_real(const carom_scan *scan, const carom_xml_array *array, int64_t index);
int64_t carom_xml_array_whole(const carom_scan *scan, const carom_xml_array *array, int64_t index);

#endif
