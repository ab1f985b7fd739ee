#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Comparisons of 64 bytes at once. Bit i of a result belongs to byte i. In C because Swift's SIMD masks cannot be
// converted to integers, which is one instruction per 16 bytes on x86-64.

typedef uint8_t json_block __attribute__((ext_vector_type(64), aligned(1)));
typedef int8_t json_signed_block __attribute__((ext_vector_type(64), aligned(1)));
typedef bool json_block_bits __attribute__((ext_vector_type(64)));

static inline uint64_t json_block_mask(json_block_bits bits) {
  uint64_t mask;
  memcpy(&mask, &bits, sizeof mask);
  return mask;
}

/// The bytes that equal `byte`. `address` needs no alignment.
static inline uint64_t json_block_equal(const void *address, uint8_t byte) {
  json_block block = *(const json_block *)address;
  return json_block_mask(__builtin_convertvector(block == byte, json_block_bits));
}

/// The bytes that equal `byte` once their bit 5 is set: a brace also stands for the bracket of the same direction.
static inline uint64_t json_block_equal_folded(const void *address, uint8_t byte) {
  json_block block = *(const json_block *)address | 0x20;
  return json_block_mask(__builtin_convertvector(block == byte, json_block_bits));
}

/// The bytes that are less than `limit` as signed integers: those from 0x80 on are less than all others.
static inline uint64_t json_block_below(const void *address, int8_t limit) {
  json_signed_block block = *(const json_signed_block *)address;
  return json_block_mask(__builtin_convertvector(block < limit, json_block_bits));
}

// Comparisons of 16 bytes at once, for strings.

typedef uint8_t json_vector __attribute__((ext_vector_type(16), aligned(1)));
typedef bool json_vector_bits __attribute__((ext_vector_type(16)));

static inline uint32_t json_vector_mask(json_vector_bits bits) {
  uint16_t mask;
  memcpy(&mask, &bits, sizeof mask);
  return mask;
}

/// Returns the first quote, backslash or control character at or after `next`. Sets bit 7 of `seen` if a byte before it
/// is not ASCII. 16 bytes after the result must be readable.
static inline const uint8_t *json_scan_string(const uint8_t *next, uint64_t *seen) {
  json_vector all = 0;
  for (;;) {
    json_vector bytes = *(const json_vector *)next;
    uint32_t specials = json_vector_mask(__builtin_convertvector(
        (bytes == '"') | (bytes == '\\') | (bytes < 0x20), json_vector_bits));
    if (specials != 0) {
      int count = __builtin_ctz(specials);
      uint32_t high = json_vector_mask(__builtin_convertvector(bytes > 0x7f, json_vector_bits));
      uint32_t before = json_vector_mask(__builtin_convertvector(all > 0x7f, json_vector_bits));
      if (((high & ((1u << count) - 1)) | before) != 0) *seen |= 0x80;
      return next + count;
    }
    all |= bytes;
    next += 16;
  }
}
