/// @file
/// The records inside one stage or item: steps and their failed tries, saved progress, histories,
/// side effects.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/facts.hpp"
#include "record/events.hpp"
#include "record/read_ahead.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/detail/value_type.hpp"
#include "resumable/report.hpp"
#include "resumable/step.hpp"

namespace resumable::stage {

/// A record's place in the store.
struct InsideRecord {
  std::uint64_t next = 1;            ///< the generation that a new record gets
  std::optional<plan::Row> row;      ///< the newest whole record
  std::vector<std::uint64_t> older;  ///< whole generations before it
  bool requested = false;            ///< a redo asks for it: the record no longer counts
  bool lost = false;                 ///< the newest record is damaged
  bool scarred = false;              ///< some record of the path is
  bool settled = false;              ///< of an intent: its outcome is recorded

  [[nodiscard]] bool fits(core::Kind kind, const Digest& fingerprint, std::uint32_t revision) const;
  /// Whether it says that a side effect was begun, and its outcome is not recorded.
  [[nodiscard]] bool is_begun() const;
};
using InsideRecords = std::map<std::string, InsideRecord>;  ///< by path

/// Lives as long as its task, over all attempts. Safe to use from several threads.
class Inside {
 public:
  struct Tools {
    const detail::Graph& graph;
    const record::RunFacts& facts;
    record::Recorder& recorder;
    record::Events& events;
    sys::Clock& clock;
  };
  /// Of one stage or item with inputs of this fingerprint.
  struct Subject {
    std::uint32_t node = 0;
    std::string item;
    Digest fingerprint;
  };
  Inside(Tools tools, Subject subject, InsideRecords on_record);

  /// The requirements for a record to be used.
  struct Wanted {
    core::Key key;
    core::Kind kind = core::Kind::step;
    Digest fingerprint;
    std::uint32_t revision = 0;
    std::string what;  ///< for messages: `step 'web'`
  };
  /// The record of this kind and name that depends on all inputs and the stage's code.
  /// @throws Error{Errc::bad_name}
  [[nodiscard]] Wanted wanted(core::Kind kind, std::string_view name) const;
  /// The same for a call with declared inputs: calls of one name with different inputs are
  /// different calls, and each has a record.
  [[nodiscard]] Wanted wanted(core::Kind kind, std::string_view name,
                              const StepInputs& inputs) const;

  /// Takes a name for the attempt. @throws Error{Errc::duplicate_name}  it is taken
  void claim(const Wanted& wanted);
  /// The call failed and left nothing: the attempt may repeat it.
  void release(const Wanted& wanted);

  /// The record, if it fits; from now on it counts as used.
  [[nodiscard]] std::optional<plan::Row> find(const Wanted& wanted);
  /// The paths after that of `wanted`, and before `to`, whose record fits as one at `wanted` would.
  [[nodiscard]] std::vector<std::string> following(const Wanted& wanted,
                                                   const std::string& to) const;
  /// Its value. The first call reads the other records along that are likely to be loaded.
  /// @throws Error, or Suspended after recording damage
  struct Loaded {
    detail::AnyValue value;
    std::uint64_t passes = 0;  ///< of a loop, before it was saved
  };
  [[nodiscard]] Loaded load(const Wanted& wanted, const plan::Row& row,
                            const detail::ValueType& type);
  /// A record that takes the place of the one there is; `value` is null with a type of no bytes. Of
  /// progress the one before is kept, too, should the new one turn out to be damaged.
  [[nodiscard]] record::Draft draft(const Wanted& wanted, const detail::ValueType& type,
                                    const void* value) const;
  /// The time and the cost of what is in the state of a loop now, in an attempt that has cost
  /// `so_far`.
  [[nodiscard]] Savings spent(const Cost& so_far) const;
  /// Of that, what the state had in it that this attempt's loops have loaded, whoever did it.
  [[nodiscard]] Savings continued() const;
  /// The same of those that earlier calls had saved, over all attempts.
  [[nodiscard]] Savings continued_from_earlier_calls() const;
  /// Withdraws a record. Committed on return.
  void withdraw(const Wanted& wanted);
  /// A side effect that was begun before this attempt, as far as is known, and has no outcome.
  struct Begun {
    Wanted intent;                 ///< where its record is, or has to be written again
    std::optional<plan::Row> row;  ///< nullopt: the record is damaged
    bool own = false;              ///< with the same inputs
  };
  /// Those with the name of this intent, for whatever inputs, code and request; its own first.
  [[nodiscard]] std::vector<Begun> begun(const Wanted& intent, const Wanted& effect) const;
  /// It is known what came of it, or a user has decided: nobody has to ask again.
  void settle(const Begun& one);
  /// `with` will erase this record when it is committed.
  void drop(const Wanted& wanted, record::Draft& with);
  /// The commit of this outcome settles its intent, which stays: an outcome that is deleted later
  /// does not look like an effect that was never begun.
  void settle(const Wanted& intent, std::vector<record::Draft>& with);
  /// Committed on return, all or nothing; they count as used.
  std::vector<record::Committed> commit(std::vector<record::Draft> drafts);

  /// These records and those below them are kept when the stage is done.
  void keep(const Wanted& wanted);

  /// Before each attempt: no name is taken, and nothing counts as used.
  void begin_attempt();
  /// What was committed since the last call.
  [[nodiscard]] std::vector<record::Committed> take_committed();
  /// A record that could not be read: the stage was left, whatever it returned.
  [[nodiscard]] std::optional<record::DamagedRecord> damage() const;
  /// Records that a value of the attempt makes superfluous: those that it has not used, remaining
  /// failed attempts, and the states of loops unless they have to be kept.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> unused() const;

  [[nodiscard]] const Tools& tools() const noexcept { return tools_; }
  [[nodiscard]] const Subject& subject() const noexcept { return subject_; }
  [[nodiscard]] const detail::Node& node() const { return tools_.graph.nodes[subject_.node]; }
  [[nodiscard]] Event event(EventKind kind, std::string_view step) const;

 private:
  [[nodiscard]] record::Draft tombstone(const Wanted& wanted) const;
  [[nodiscard]] bool is_scarred(const Wanted& wanted) const;
  void prove(const Wanted& wanted, const plan::Row& row, const detail::ValueType& type) const;
  [[nodiscard]] bool outlives_stage(const std::string& path, core::Kind kind) const;
  [[nodiscard]] bool is_in_use(const std::string& path, const InsideRecord& record) const;

  Tools tools_;
  Subject subject_;
  mutable std::mutex guard_;
  InsideRecords records_;
  record::ReadAhead ahead_;
  std::set<std::string> used_;     ///< paths
  std::set<std::string> claimed_;  ///< paths
  std::set<std::string> kept_;     ///< paths
  std::set<std::string> begun_;    ///< paths of intents that this attempt has found
  sys::BootTime attempt_begun_{};
  Savings continued_;
  Savings continued_from_earlier_calls_;
  std::vector<record::Committed> committed_;
  std::optional<record::DamagedRecord> damage_;
};

/// The name of one call, taken until the attempt ends or the call throws.
class Claim {
 public:
  Claim(Inside& inside, const Inside::Wanted& wanted)
      : inside_(inside), wanted_(wanted), uncaught_(std::uncaught_exceptions()) {
    inside_.claim(wanted_);
  }
  ~Claim() {
    if (std::uncaught_exceptions() > uncaught_) inside_.release(wanted_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  Inside& inside_;
  const Inside::Wanted& wanted_;
  int uncaught_;
};

/// Text for people: `step 'web'`.
[[nodiscard]] std::string quoted(std::string_view what, std::string_view name);

}  // namespace resumable::stage
