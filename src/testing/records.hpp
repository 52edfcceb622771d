/// @file
/// Records for tests of stores.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {

/// A tag that differs with `seed`.
[[nodiscard]] inline Tag tag_of(std::uint64_t seed) {
  Tag tag;
  for (std::size_t i = 0; i < tag.raw.size(); ++i) {
    tag.raw[i] = static_cast<std::byte>((seed * 131 + i * 7) & 0xFFU);
  }
  return tag;
}

/// Commits one record whose tag follows from its generation.
inline Ticket commit(Lease& lease, std::string_view path, std::uint64_t generation,
                     std::string_view bytes) {
  const StringPayload payload{std::string(bytes)};
  const Put put{{path, generation}, tag_of(generation), R"({"header":1})", &payload};
  return lease.commit({.puts = {&put, 1}, .erases = {}});
}

/// Some puts of one batch, which owns what they refer to.
class Puts {
 public:
  explicit Puts(std::size_t expected) { own_.reserve(expected); }
  void add(std::string path, std::uint64_t generation, std::string bytes) {
    own_.push_back({std::move(path), std::make_unique<StringPayload>(std::move(bytes))});
    puts_.push_back({{own_.back().path, generation},
                     tag_of(generation),
                     R"({"header":1})",
                     own_.back().payload.get()});
  }
  [[nodiscard]] std::span<const Put> all() const { return puts_; }

 private:
  struct Own {
    std::string path;
    std::unique_ptr<StringPayload> payload;
  };
  std::vector<Own> own_;
  std::vector<Put> puts_;
};

/// What a scan finds, as text: "draft/team.2", "draft.1!" (damaged), "draft.1?" (set aside).
[[nodiscard]] inline std::vector<std::string> scan(const CheckpointStore& store,
                                                   std::string_view run,
                                                   const ScanOptions& what = {}) {
  std::vector<std::string> found;
  store.scan(run, what, [&](const RecordHead& head) {
    found.push_back(std::string(head.id.path) + "." + std::to_string(head.id.generation) +
                    (head.damage != Damage::none ? "!" : "") + (head.quarantined ? "?" : ""));
    return true;
  });
  return found;
}

[[nodiscard]] inline std::vector<std::string> runs(const CheckpointStore& store,
                                                   std::string_view prefix = "") {
  std::vector<std::string> found;
  store.runs(prefix, [&](std::string_view run) {
    found.emplace_back(run);
    return true;
  });
  return found;
}

/// The payload, or nullopt.
[[nodiscard]] inline std::optional<std::string> payload(const CheckpointStore& store,
                                                        std::string_view run, RecordId id) {
  const auto stored = store.get(run, id);
  if (!stored) return {};
  return read_all(*stored->payload);
}

}  // namespace testing
}  // namespace v0
}  // namespace resumable
