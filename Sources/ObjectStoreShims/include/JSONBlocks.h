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
