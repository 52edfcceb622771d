#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "resumable/cli.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::cli {
namespace {

/// The numbers of `v0.0.12`; empty when it is no version.
std::vector<unsigned> numbers_of(std::string_view text) {
  std::vector<unsigned> numbers;
  if (!text.starts_with('v')) return {};
  text.remove_prefix(1);
  while (true) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return {};
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return numbers.size() == 3 ? numbers : std::vector<unsigned>{};
    if (text.front() != '.') return {};
    text.remove_prefix(1);
  }
}

}  // namespace

std::vector<Version> versions(const CheckpointStore& store, std::string_view subject) {
  std::vector<Version> found;
  const std::string prefix = std::string{subject} + "-";
  store.runs(prefix, [&](std::string_view run) {
    std::vector<unsigned> numbers = numbers_of(run.substr(prefix.size()));
    if (!numbers.empty()) found.push_back({std::string{run}, std::move(numbers), {}});
    return true;
  });
  for (Version& version : found) version.state = run_state(store, version.run);
  std::sort(found.begin(), found.end(),
            [](const Version& a, const Version& b) { return a.numbers < b.numbers; });
  return found;
}

std::string next_version(const CheckpointStore& store, std::string_view subject) {
  const std::vector<Version> known = versions(store, subject);
  std::vector<unsigned> next =
      known.empty() ? std::vector<unsigned>{0, 0, 0} : known.back().numbers;
  ++next.back();
  return fmt::format("{}-v{}", subject, fmt::join(next, "."));
}

std::string reserve_version(CheckpointStore& store, std::string_view subject) {
  while (true) {
    const std::string run = next_version(store, subject);
    try {
      static_cast<void>(store.lease(run, {.create = Create::must}));
      return run;
    } catch (const Error& error) {
      // Somebody else took this number just now.
      if (error.errc() != Errc::duplicate_name && error.errc() != Errc::busy) throw;
    }
  }
}

std::string subject_of(std::string_view name) {
  std::string subject;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (plain && !(subject.empty() && c == '.')) {
      subject += c;
    } else if (!subject.empty() && subject.back() != '-') {
      subject += '-';
    }
  }
  while (!subject.empty() && subject.back() == '-') subject.pop_back();
  return subject;
}

}  // namespace resumable::inline v0::cli
