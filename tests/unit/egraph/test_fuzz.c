/* Random rule sets, in every build: the fuzz target on seeded random bytes. */
#include "../rounds.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void random_rule_sets(void **state) {
  (void)state;
  for (int round = 0; round < rounds_of(3000); round++) {
    uint64_t seed = (uint64_t)round;
    uint8_t bytes[120];
    uint32_t size = 3 + random_below(&seed, sizeof bytes - 3);
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_below(&seed, 256);
    LLVMFuzzerTestOneInput(bytes, size);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rule_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
