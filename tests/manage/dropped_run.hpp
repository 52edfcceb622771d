/// @file
/// A run of which a large value is dropped after use.
#pragma once

#include <cstddef>
#include <string>

#include "record/environment.hpp"
#include "resumable/records.hpp"
#include "run/run_support.hpp"

namespace resumable::test {

/// word -> raw, which is dropped -> next.
struct DroppedRun {
  std::string word = "sea";
  std::uint32_t revision = 1;  ///< of next
  Keep keep = Keep::until_used;
  std::size_t size = 100'000;  ///< of raw, without the word
  Calls calls{};

  /// What ran.
  std::string run(CheckpointStore& store, const std::string& id = "r", ResumeOptions options = {},
                  sys::FileSystem* files = nullptr) {
    const record::TestEnvironment environment{{.file_system = files}};
    Pipeline p{"p"};
    const auto said = p.input("word", word);
    const auto raw =
        p.stage({.name = "raw", .keep = keep}, inputs(said), [this](const std::string& w) {
          calls("raw");
          return Text{std::string(size, '.') + w};
        });
    p.stage({.name = "next", .revision = revision}, inputs(raw), [this](const Text& r) {
      calls("next");
      return r.text.substr(size) + "!";
    });
    options.run = id;
    const Report report = resume(p, store, options);
    EXPECT_TRUE(report) << report.text();
    return calls.take();
  }
  /// The value of next, or "".
  [[nodiscard]] static std::string result(const CheckpointStore& store) {
    const auto found = Records{store, "r"}.stage<std::string>("next");
    return found ? found->value : "";
  }
};

}  // namespace resumable::test
