/// @file
/// The facts from which a plan is made. The record module gathers them; planning only reads them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/record_format.hpp"
#include "plan/item_list.hpp"
#include "resumable/digest.hpp"
#include "resumable/plan.hpp"
#include "resumable/store.hpp"

namespace resumable::plan {

/// One record's head.
struct Row {
  std::uint64_t generation = 0;
  core::Head head;
  Damage damage = Damage::none;
  bool quarantined = false;
  std::uint32_t kept = 0;  ///< where what its header says is kept; 0: nowhere

  /// Neither damaged nor set aside.
  [[nodiscard]] bool is_whole() const noexcept { return damage == Damage::none && !quarantined; }
};

/// The newest of a path's records that is whole, or nullptr.
[[nodiscard]] inline const Row* newest_whole(std::span<const Row> rows) noexcept {
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (rows[i].is_whole()) return &rows[i];
  }
  return nullptr;
}

/// Whether there are records, but the newest is damaged, so that its content is unknown.
[[nodiscard]] inline bool is_lost(std::span<const Row> rows) noexcept {
  return !rows.empty() && !rows.back().is_whole();
}

/// Whether the records of a side effect's intent, and those of its outcome, say that it was begun
/// and has no outcome. An intent that was withdrawn has no codec; of a damaged one it is unknown.
[[nodiscard]] inline bool is_begun(std::span<const Row> intents,
                                   std::span<const Row> outcomes) noexcept {
  if (is_lost(intents)) return true;
  const Row* row = newest_whole(intents);
  if (row == nullptr || row->head.kind != core::Kind::intent || row->head.codec == CodecId::none) {
    return false;
  }
  return std::ranges::none_of(outcomes, [&](const Row& outcome) {
    return outcome.is_whole() && core::is_outcome(outcome.head, row->head);
  });
}

/// An input of the host: what is given now, or what was recorded.
struct InputFact {
  bool known = false;  ///< given, or recorded
  Digest identity;
  std::string text;                       ///< a short form of the value, for messages
  Reason reason = Reason::missing_input;  ///< when it is not known: why
  std::string problem{};                  ///< one more sentence
  std::string file{};                     ///< the record concerned
  std::string left_out{};                 ///< of a folder: what in it was not read, and why
};

/// What is at an artifact's path.
struct Look {
  enum class State : std::uint8_t { missing, file, odd, unreadable } state = State::missing;
  Digest digest;
  std::string problem;  ///< with odd and unreadable
};

/// What is at the path of a file that a fan-out appends to.
struct AppendedLook {
  enum class State : std::uint8_t {
    as_left,
    missing,
    edited,   ///< by a user
    foreign,  ///< never ours
    unclear,  ///< changed, and it is unknown what it was before: see Doubt
    unreadable,
  } state = State::as_left;
  std::string problem;      ///< with the last four
  std::uint64_t bytes = 0;  ///< of the file
};

/// Why a file that differs from what the records say is not simply a user's edit of that.
struct Doubt {
  std::optional<Digest> ours;  ///< the run has put this there: if it is that, nobody has edited it
  std::string problem;         ///< if it is not
  bool unreadable = false;     ///< it could be known, but cannot be read
};

/// That a fan-out was closed, as recorded.
struct Closed {
  std::string reason;
  std::string item;         ///< that closed it
  bool is_settled = false;  ///< `items` is known: before, those that have a value
  std::vector<std::string> items;
  Digest fingerprint{};  ///< of the fan-out's inputs then
  std::uint32_t revision = 1;
  std::uint64_t fence = 0;
};

enum class Approval : std::uint8_t { none, asked, approved };

/// Read-only; may read headers and small payloads when asked. Nothing here changes the store.
class Facts {
 public:
  virtual ~Facts() = default;
  /// A path's records by generation; empty when there are none.
  [[nodiscard]] virtual std::span<const Row> rows(std::string_view path) const = 0;
  /// nullopt when it is damaged or gone.
  [[nodiscard]] virtual std::optional<core::Header> header(std::string_view path,
                                                           std::uint64_t generation) const = 0;
  /// What the last failed attempt said that is recorded there; "" when it cannot be read.
  [[nodiscard]] virtual std::string failure(std::string_view path, const Row& row) const = 0;
  /// The idempotency key that an intent records; "" when it cannot be read.
  [[nodiscard]] virtual std::string idempotency_key(std::string_view path, const Row& row) const {
    static_cast<void>(path);
    static_cast<void>(row);
    return {};
  }
  /// What has happened to a file that this value has left in place: see value::changed_file(). ""
  /// also when the value cannot be read.
  [[nodiscard]] virtual std::string changed_file(std::string_view path, const Row& row) const {
    static_cast<void>(path);
    static_cast<void>(row);
    return {};
  }
  /// Paths of side effects that were begun and have no outcome.
  [[nodiscard]] virtual std::vector<std::string> begun_effects() const { return {}; }
  [[nodiscard]] virtual std::shared_ptr<const ItemList> items(std::string_view stage,
                                                              std::uint32_t revision) const = 0;
  /// What the item of a queue has enqueued with its value of this fingerprint; nullptr when that
  /// cannot be known any more.
  [[nodiscard]] virtual std::shared_ptr<const Enqueued> enqueued(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const = 0;
  /// The list of items as last recorded, whatever the program has now; nullptr where there is none.
  [[nodiscard]] virtual std::shared_ptr<const ItemList> recorded_list(
      std::string_view stage) const = 0;
  /// Records up to this fence may name inputs whose records were removed on purpose, or never were
  /// in this run; UINT64_MAX where that is not known.
  [[nodiscard]] virtual std::uint64_t forgotten() const = 0;
  [[nodiscard]] virtual std::optional<bool> condition(std::string_view name) const = 0;
  /// nullptr if the fan-out was never closed.
  [[nodiscard]] virtual std::shared_ptr<const Closed> closed(std::string_view stage) const {
    static_cast<void>(stage);
    return nullptr;
  }
  /// The approval of a stage or item with inputs of this fingerprint, and the message it left.
  [[nodiscard]] virtual std::pair<Approval, std::string> approval(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const = 0;
  [[nodiscard]] virtual InputFact input(std::uint32_t node) const = 0;
  /// A short form of an input's recorded value with this identity, or "".
  [[nodiscard]] virtual std::string input_text(std::string_view name,
                                               const Digest& identity) const = 0;
  [[nodiscard]] virtual std::string locate(std::string_view path,
                                           std::uint64_t generation) const = 0;
  [[nodiscard]] virtual std::chrono::system_clock::time_point now() const = 0;
  /// Item paths of this stage that are in the store.
  [[nodiscard]] virtual std::vector<std::string> item_paths(std::string_view stage) const = 0;
  /// How many these are.
  [[nodiscard]] virtual std::size_t item_count(std::string_view stage) const {
    return item_paths(stage).size();
  }
  /// Paths of this stage's or item's steps (with their failed tries), progress, histories and
  /// effects that are in the store.
  [[nodiscard]] virtual std::vector<std::string> inside_paths(std::string_view stage,
                                                              std::string_view item) const = 0;
  /// The stages that have records of their own or of items, by name.
  [[nodiscard]] virtual std::vector<std::string> stored_stages() const = 0;
  /// What differs from the builds that made records: `the program`, `the library 'x.so'`.
  [[nodiscard]] virtual std::set<std::string> program_changes() const { return {}; }
  /// What differs from the build that made what was committed under this fence.
  [[nodiscard]] virtual std::set<std::string> program_changes(std::uint64_t fence) const {
    static_cast<void>(fence);
    return {};
  }
  /// All rows that are damaged and still in their places.
  struct DamagedRow {
    std::string path;
    std::uint64_t generation = 0;
    Damage damage = Damage::torn;
  };
  [[nodiscard]] virtual std::vector<DamagedRow> damaged() const = 0;
};

/// A file that a user has changed.
struct EditFact {
  std::uint32_t node = 0;
  std::string item;
  std::string path;
  bool taken = true;          ///< over by a record; else it cannot be, and the plan refuses
  std::vector<Cause> causes;  ///< what was changed, or why it cannot be adopted
};

/// What is at the paths of exported files, and which of it is known to be ours. Read-only.
class Exports {
 public:
  virtual ~Exports() = default;
  /// Whether artifacts can be exported at all. The other functions need that.
  [[nodiscard]] virtual bool exports() const = 0;
  [[nodiscard]] virtual Look look(std::string_view artifact) const = 0;
  [[nodiscard]] virtual AppendedLook look_appended(std::string_view path) const = 0;
  /// The last export to this path that is known to have been finished.
  [[nodiscard]] virtual const core::Export* confirmed(std::string_view artifact) const = 0;
  /// Of the file at this path, if it is not what the records say.
  [[nodiscard]] virtual std::optional<Doubt> doubt(std::string_view artifact) const {
    static_cast<void>(artifact);
    return std::nullopt;
  }
  /// What is in a folder, which is "" or ends in a slash.
  struct Listing {
    std::vector<std::string> files;  ///< their paths
    std::string problem;             ///< why it cannot be read
  };
  [[nodiscard]] virtual Listing list(std::string_view folder) const {
    static_cast<void>(folder);
    return {};
  }
  /// Whether a record exports this path, or has exported it.
  [[nodiscard]] virtual bool is_exported(std::string_view artifact) const {
    return confirmed(artifact) != nullptr;
  }
  /// An artifact's full path, for messages.
  [[nodiscard]] virtual std::string artifact_file(std::string_view artifact) const = 0;
  /// Why nothing can be written to the folder of artifacts; "" if it can be.
  [[nodiscard]] virtual std::string why_unwritable() const { return {}; }
  /// How much can be written to it, as far as it is known.
  [[nodiscard]] virtual std::uint64_t free_bytes() const { return UINT64_MAX; }
  /// Whether files that no record mentions may be adopted, and replaced after a copy is kept.
  [[nodiscard]] virtual bool adopting() const { return false; }
  /// What users have changed. The facts show the records that take it over.
  [[nodiscard]] virtual std::span<const EditFact> edits() const { return {}; }
};

/// A record that counts as up to date although it was made from something else.
struct Accepted {
  std::string item;
  // Which record: what it was made from and by, and its value.
  Digest made;
  std::uint32_t revision = 1;
  Digest identity;
  // What it counts as up to date for.
  std::vector<core::InputIdentity> inputs;
  Digest fingerprint;      ///< of all of them together
  std::uint32_t code = 1;  ///< the revision
  std::string at;          ///< UTC: its age counts from here; "" where that was not accepted

  friend bool operator==(const Accepted&, const Accepted&) = default;
};

/// A user's request. A request to run something again is fulfilled by records that are not older
/// than it; a request that keeps a stage from running is in force until it is undone.
struct Request {
  enum class What : std::uint8_t { redo, from, fresh, accept, pin, ignore } what = What::redo;
  std::uint32_t node = 0;
  std::string item;
  std::uint64_t fence = UINT64_MAX;  ///< under which lease it was made; now: UINT64_MAX
  std::string trigger{};             ///< of ignore: an input's name, `code` or `age`
  bool off = false;                  ///< a pin or ignore that is taken back
  std::vector<Accepted> accepted{};  ///< of accept, once it is recorded

  [[nodiscard]] bool is_new() const noexcept { return fence == UINT64_MAX; }
};

}  // namespace resumable::plan
