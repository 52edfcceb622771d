/// @file
/// Values as the library saves and loads them, and what it says when it refuses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "resumable/codec.hpp"
#include "resumable/error.hpp"
#include "resumable/store.hpp"

namespace resumable::testing_support {

/// The bytes that a checkpoint of `value` holds.
template <class T>
[[nodiscard]] std::string saved(const T& value) {
  return read_all(*detail::value_type<T>().encode(&value));
}

/// The value in `bytes`, which were saved as `version`.
template <class T>
[[nodiscard]] T loaded(std::string bytes, std::uint32_t version = schema_version_v<T>) {
  auto payload = std::make_shared<const StringPayload>(std::move(bytes));
  return *std::static_pointer_cast<const T>(detail::value_type<T>().decode(payload, version));
}

/// Saves and loads `value`, and saves it again: the bytes must be the same.
template <class T>
[[nodiscard]] T through(const T& value) {
  const std::string bytes = saved(value);
  T again = loaded<T>(bytes);
  EXPECT_EQ(saved(again), bytes);
  return again;
}

/// What happened: "not_encodable /a/b: sentence"; "nothing" when `call` did not throw an Error.
struct Refusal {
  Errc code{};
  std::string path = "nothing was refused";
  std::string what;
};

[[nodiscard]] inline Refusal refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.errc(), error.info().path, error.info().what};
  }
  return {};
}

template <class T>
[[nodiscard]] Refusal refused_to_save(const T& value) {
  return refusal([&] { static_cast<void>(saved(value)); });
}

template <class T>
[[nodiscard]] Refusal refused_to_load(const std::string& bytes,
                                      std::uint32_t version = schema_version_v<T>) {
  return refusal([&] { static_cast<void>(loaded<T>(bytes, version)); });
}

}  // namespace resumable::testing_support
