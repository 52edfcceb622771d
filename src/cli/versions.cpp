#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "resumable/cli.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

/// The numbers of `v0.0.12`; empty if it is not a version.
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

std::vector<unsigned> next_numbers(const CheckpointStore& store, std::string_view subject) {
  const std::vector<Version> known = versions(store, subject);
  std::vector<unsigned> next =
      known.empty() ? std::vector<unsigned>{0, 0, 0} : known.back().numbers;
  ++next.back();
  return next;
}

std::string id_of(std::string_view subject, const std::vector<unsigned>& numbers) {
  return fmt::format("{}-v{}", subject, fmt::join(numbers, "."));
}

/// A run's folder is never a link, so whatever a link leads to is none.
bool is_link(const CheckpointStore& store, const std::string& run) {
  const auto* folders = store.capability<ArtifactFolder>();
  std::error_code none;
  return folders != nullptr && std::filesystem::is_symlink(folders->artifact_folder(run), none);
}

/// Why `run` could not be reserved; "" when another process was faster.
std::string obstacle(const CheckpointStore& store, const std::string& run, const Error& error) {
  bool is_run = false;
  store.runs(run, [&](std::string_view known) {
    is_run = known == run;
    return !is_run;
  });
  if (is_run) return {};
  const auto* folders = store.capability<ArtifactFolder>();
  const std::string folder = folders != nullptr ? folders->artifact_folder(run) : std::string{};
  std::error_code none;
  if (is_link(store, run)) return fmt::format("{} is skipped: {} is a link", run, folder);
  if (folder.empty() || !std::filesystem::exists(folder, none)) {
    return fmt::format("{} is skipped: {}", run, error.info().what);
  }
  return fmt::format(
      "{} is skipped: {} looks like artifacts without checkpoints; it is left "
      "untouched. Adopt it to make a run of it",
      run, folder);
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
  for (Version& version : found)
    version.state = run_state(store, version.run).value_or(RunState::created);
  std::sort(found.begin(), found.end(),
            [](const Version& a, const Version& b) { return a.numbers < b.numbers; });
  return found;
}

std::vector<std::string> adoptable_versions(const CheckpointStore& store,
                                            std::string_view subject) {
  const auto* folders = store.capability<ArtifactFolder>();
  if (folders == nullptr) return {};
  const std::vector<Version> runs = versions(store, subject);
  const std::string prefix = std::string{subject} + "-";
  std::vector<std::pair<std::vector<unsigned>, std::string>> found;
  const std::filesystem::path any = folders->artifact_folder(id_of(subject, {0, 0, 0}));
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator{any.parent_path(), none}) {
    std::string name = entry.path().filename();
    if (!name.starts_with(prefix) || !entry.is_directory(none)) continue;
    std::vector<unsigned> numbers = numbers_of(std::string_view{name}.substr(prefix.size()));
    const bool is_run = std::ranges::find(runs, name, &Version::run) != runs.end();
    if (!numbers.empty() && !is_run) found.emplace_back(std::move(numbers), std::move(name));
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [numbers, name] : found) names.push_back(std::move(name));
  return names;
}

std::string next_version(const CheckpointStore& store, std::string_view subject) {
  return id_of(subject, next_numbers(store, subject));
}

ReservedVersion reserve_version(CheckpointStore& store, std::string_view subject) {
  constexpr int attempts = 1000;
  constexpr int described = 3;
  ReservedVersion reserved;
  std::vector<unsigned> numbers = next_numbers(store, subject);
  for (int attempt = 0; attempt < attempts; ++attempt, ++numbers.back()) {
    reserved.run = id_of(subject, numbers);
    try {
      static_cast<void>(store.lease(reserved.run, {.create = Create::must}));
      if (attempt > described) {
        reserved.notes.push_back(fmt::format("{} more are skipped", attempt - described));
      }
      return reserved;
    } catch (const Error& error) {
      const bool taken = error.errc() == Errc::duplicate_name || error.errc() == Errc::busy ||
                         is_link(store, reserved.run);
      if (!taken) throw;
      // What is in the way may not be a run, so the list of runs never changes and next_version()
      // would return the same number forever. So count up instead.
      if (attempt >= described) continue;
      std::string note = obstacle(store, reserved.run, error);
      if (!note.empty()) reserved.notes.push_back(std::move(note));
    }
  }
  throw Error(Errc::duplicate_name,
              {.what = fmt::format("no version of {} is free: {} numbers up to {} are taken by "
                                   "something that is not a run",
                                   subject, attempts, reserved.run),
               .kept = "nothing was changed",
               .next = "move those files away, or use another name"});
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

}  // namespace cli
}  // namespace v0
}  // namespace resumable
