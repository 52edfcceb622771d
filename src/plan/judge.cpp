#include "plan/judge.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "plan/judge_changes.hpp"
#include "plan/judge_usable.hpp"
#include "plan/requests.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/detail/saturating.hpp"
#include "value/shape.hpp"

namespace resumable::plan {

using detail::Node;

namespace {

int weight(Action action) {
  switch (action) {
    case Action::skip: return 0;
    case Action::decide: return 1;
    case Action::run: return 2;
    case Action::wait: return 3;
    case Action::refuse: return 4;
  }
  return 0;
}

}  // namespace

bool outweighs(Action a, Action b) { return weight(a) > weight(b); }

void Verdict::raise(Action wanted, Cause cause) {
  const bool stronger = outweighs(wanted, action);
  if (stronger) action = wanted;
  causes.insert(stronger ? causes.begin() : causes.end(), std::move(cause));
}

Judge::Judge(const detail::Graph& graph, const Facts& facts, std::vector<Request> requests,
             bool strict)
    : graph_(graph),
      facts_(facts),
      requests_(std::move(requests)),
      choices_(requests_),
      strict_(strict),
      users_(graph.nodes.size()),
      needs_(graph.nodes.size()) {
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    for (const detail::Arg& arg : graph.nodes[i].args) {
      if (arg.kind == detail::ArgKind::after) continue;
      std::vector<std::uint32_t>& users = users_[arg.node];
      if (users.empty() || users.back() != i) users.push_back(i);
    }
  }
}

bool Judge::names(std::uint32_t node, std::string_view item) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const Request& request) {
    return request.what == Request::What::redo && request.node == node &&
           (request.item.empty() || request.item == item);
  });
}

bool Judge::requested(std::uint32_t node, std::string_view item, std::uint64_t fence) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const Request& request) {
    return fence < request.fence && covers(graph_, request, node, item);
  });
}

std::uint64_t Judge::epoch(std::uint32_t node, std::string_view item) const {
  std::uint64_t last = 0;
  for (const Request& request : requests_) {
    if (covers(graph_, request, node, item)) last = std::max(last, request.fence);
  }
  return last;
}

namespace {

Reason gate_of(Damage damage) {
  if (damage == Damage::newer) return Reason::newer;
  return damage == Damage::foreign ? Reason::foreign : Reason::unreadable;
}

}  // namespace

Cause damage_cause(const Facts& facts, std::string_view path, std::uint64_t generation,
                   Damage damage) {
  Cause cause{.reason = damage == Damage::torn || damage == Damage::none ? Reason::damaged
                                                                         : gate_of(damage),
              .file = facts.locate(path, generation)};
  switch (damage) {
    case Damage::torn: cause.detail = "its bytes are not those that were written"; break;
    case Damage::newer: cause.detail = "it was written by a newer version of the library"; break;
    case Damage::foreign: cause.detail = "it is not a record of this run"; break;
    case Damage::unreadable: cause.detail = "the operating system refused to read it"; break;
    case Damage::none: cause.detail = "its header is not as it was written"; break;
  }
  return cause;
}

Judge::Usable Judge::find_usable(const Subject& subject) const {
  Usable result;
  const std::span<const Row> rows = facts_.rows(subject.path);
  const bool ages = graph_.nodes[subject.node].max_age.count() > 0;
  for (std::size_t i = rows.size(); i-- > 0 && result.row == nullptr;) {
    const Row& row = rows[i];
    if (row.quarantined) continue;
    // A record that cannot be read may be the newest value, and older ones must not be used
    // instead.
    if (row.damage != Damage::none && row.damage != Damage::torn) {
      result.gate = damage_cause(facts_, subject.path, row.generation, row.damage);
      return result;
    }
    bool whole = row.damage == Damage::none;
    // For a value that is up to date the head is enough. The header is read only if a plan has to
    // say what changed or how old the value is: planning a million items costs reading a million
    // heads.
    if (whole && (ages || !subject.fingerprint || row.head.fingerprint != *subject.fingerprint)) {
      result.header = facts_.header(subject.path, row.generation);
      whole = result.header.has_value();
    }
    if (whole) {
      result.row = &row;
    } else if (!result.damage) {
      result.damage = damage_cause(facts_, subject.path, row.generation, row.damage);
    }
  }
  return result;
}

// The decision table. A row is reached when no row above it applies.
//
// clang-format off
//     found                                                   verdict
//     a newer, foreign or unreadable record, none above it    refuse
//     damage, and strict                                      refuse
//     a whole record of a type that is not this one           refuse, but for a redo of this very one
//     damage, and the whole record below it does not fit      run, damaged
//     no record, but a dependent was made from it             run, lost; if strict, refuse
//     no whole record                                         run, first_run or failed
//     a whole record                                          skip; run or decide if it is stale
// clang-format on
//
// A refusal has one cause and comes before any reason to run: as long as its bytes must not be
// touched, it does not matter whether the value is up to date.
Verdict Judge::judge(const Subject& subject) const {
  Verdict verdict;
  Usable usable = find_usable(subject);
  const Row* row = usable.row;
  std::optional<Cause>& damage = usable.damage;
  if (usable.gate) {
    verdict.refuse(*std::move(usable.gate));
    return verdict;
  }
  if (damage && strict_) {
    verdict.refuse(*std::move(damage));
    return verdict;
  }
  if (row != nullptr) {
    look_inside(subject, usable);
    if (auto refusal = gate(subject, usable)) {
      verdict.refuse(*std::move(refusal));
      return verdict;
    }
  }
  // Below a damaged record, only a value made from the present inputs is worth falling back to: any
  // other would run again anyway, and 'damaged' explains that better than an old change of inputs.
  // If an input is still unknown, the value is kept until the input shows whether it fits.
  const bool fits = row != nullptr && (!damage || !subject.fingerprint ||
                                       row->head.fingerprint == *subject.fingerprint);
  if (!fits) {
    if (damage) {
      verdict.run(*std::move(damage));
    } else {
      no_record(subject, verdict);
    }
    approval(subject, verdict);
    steps(subject, verdict);
    begun_effects(subject, verdict);
    return verdict;
  }
  if (damage) {
    damage->reason = Reason::fell_back;
    damage->after = std::to_string(row->generation);
    verdict.note(*std::move(damage));
  }
  migration(subject, usable, verdict);
  stale(subject, usable, verdict);
  const bool merges = verdict.action != Action::skip && row->head.has(core::edited);
  if (merges) verdict.note({.reason = Reason::edited, .detail = "it is merged into a new value"});
  approval(subject, verdict);
  steps(subject, verdict);
  begun_effects(subject, verdict);
  if (verdict.action == Action::skip) left_files(subject, *row, verdict);
  if (verdict.action == Action::skip && row->head.has(core::disputed)) {
    dispute(subject, *row, verdict);
  }
  if (verdict.action == Action::skip) {
    verdict.identity = row->head.identity;
    verdict.generation = row->generation;
    if (verdict.causes.empty()) {
      verdict.note({.reason = verdict.dropped ? Reason::dropped : Reason::done});
    }
  }
  return verdict;
}

// A product that is not whole is no value. As with damage, whatever else was asked for.
void Judge::left_files(const Subject& subject, const Row& row, Verdict& verdict) const {
  std::string change = facts_.changed_file(subject.path, row);
  if (change.empty()) return;
  Cause cause{.reason = Reason::file_changed, .detail = std::move(change)};
  strict_ ? verdict.refuse(std::move(cause)) : verdict.run(std::move(cause));
  begun_effects(subject, verdict);
}

bool Judge::is_plainly_done(std::uint32_t node, std::string_view item, const Row& row,
                            const Digest& fingerprint) const {
  const Node& declared = graph_.nodes[node];
  const core::Head& head = row.head;
  const std::uint32_t shape = shape_of(*declared.type).hash;
  return row.is_whole() && head.fingerprint == fingerprint && head.revision == declared.revision &&
         head.schema == declared.type->version &&
         detail::unpacked(head.codec) == declared.type->codec &&
         (head.shape == shape || head.shape == 0 || shape == 0) && !head.has(core::disputed) &&
         !head.leaves_files() && declared.max_age.count() == 0 && choices_.empty() &&
         !requested(node, item, head.fence);
}

const Judge::Shape& Judge::shape_of(const detail::ValueType& type) const {
  const auto [at, fresh] = shapes_.try_emplace(&type);
  if (fresh) {
    at->second.type = type.shape_now();
    at->second.hash = value::shape_hash(at->second.type);
  }
  return at->second;
}

// Why the type that the program has now cannot be read from a whole record.
std::optional<Cause> Judge::gate(const Subject& subject, const Usable& usable) const {
  const Row& row = *usable.row;
  const detail::ValueType& type = *graph_.nodes[subject.node].type;
  const core::Head& head = row.head;
  // Shapes are compared only within one schema version, because migrations change them. Zero means
  // unknown, as for types whose JSON has no fixed fields.
  const Shape& shape = shape_of(type);
  const bool same_shape =
      head.schema != type.version || head.shape == shape.hash || head.shape == 0 ||
      shape.hash == 0 || !usable.inside.empty() ||
      (shape.type.holds_others && usable.header && usable.header->shape == shape.type.fields);
  const bool known_schema = type.oldest <= head.schema && head.schema <= type.version;
  std::optional<Cause> inside = refused_inside(usable);
  if (known_schema && detail::unpacked(head.codec) == type.codec && same_shape && !inside) {
    return std::nullopt;
  }
  // Only a redo that names the stage overrides this: a user who types it has seen the refusal and
  // does not want the old value. `from` and `fresh` cover stages that the user may not have
  // considered.
  if (requested(subject.node, subject.item, head.fence) && names(subject.node, subject.item)) {
    return std::nullopt;
  }
  Cause cause{.reason = Reason::newer,
              .before = std::to_string(head.schema),
              .after = std::to_string(type.version),
              .file = facts_.locate(subject.path, row.generation)};
  if (known_schema && inside) {
    inside->file = std::move(cause.file);
    return inside;
  }
  if (head.schema > type.version) {
    cause.detail = fmt::format("saved with schema {}; this program knows {} to {}", head.schema,
                               type.oldest, type.version);
  } else if (head.schema < type.oldest) {
    cause.reason = Reason::no_migration;
    cause.detail =
        fmt::format("saved with schema {}; migrations begin at {}", head.schema, type.oldest);
  } else if (detail::unpacked(head.codec) != type.codec) {
    cause.reason = Reason::codec_changed;
    cause.before.clear();
    cause.after.clear();
    cause.detail = fmt::format("{}, and the program has {}", static_cast<unsigned>(head.codec),
                               static_cast<unsigned>(type.codec));
  } else {
    cause.reason = Reason::shape_changed;
    cause.after.clear();
    const auto header = facts_.header(subject.path, row.generation);
    cause.detail =
        header ? fmt::format("{}",
                             fmt::join(value::diff_shapes(header->shape, shape.type.fields), "; "))
               : "the type's fields changed";
  }
  return cause;
}

void Judge::stale(const Subject& subject, const Usable& usable, Verdict& verdict) const {
  const Node& declared = graph_.nodes[subject.node];
  const core::Head& head = usable.row->head;
  Changes changes{choices_, subject, head, verdict};
  if (requested(subject.node, subject.item, head.fence)) changes.requested();
  if (head.revision != declared.revision) changes.code(head.revision, declared.revision);
  if (!subject.fingerprint || head.fingerprint != *subject.fingerprint) {
    compare_inputs(subject, usable, changes);
  }
  if (declared.max_age.count() > 0 && usable.header) age(subject, *usable.header, changes);
  changes.tell_pin(declared.kind == detail::NodeKind::fan_out);
  if (head.has(core::dropped)) dropped(subject, verdict);
}

void Judge::compare_inputs(const Subject& subject, const Usable& usable, Changes& changes) const {
  const std::optional<core::Header>& header = usable.header;
  const auto old_identity = [&](const std::string& name) -> const Digest* {
    if (!header) return nullptr;
    for (const core::InputIdentity& input : header->inputs) {
      if (input.name == name) return &input.identity;
    }
    return nullptr;
  };
  bool found = false;
  std::size_t declared = 0;
  for (const KnownInput& input : subject.inputs) {
    if (input.exempt) continue;
    ++declared;
    if (!input.identity) {
      changes.unknown(input);
      continue;
    }
    const Digest* old = old_identity(input.name);
    if (old != nullptr && *old == *input.identity) continue;
    found = true;
    Cause cause{.reason = Reason::input_changed, .subject = input.shown};
    if (old != nullptr) cause.before = facts_.input_text(input.name, *old);
    cause.after = facts_.input_text(input.name, *input.identity);
    if (old != nullptr && cause.before.empty()) cause.before = old->brief();
    if (cause.after.empty()) cause.after = input.identity->brief();
    changes.input(input, std::move(cause));
  }
  if (header && header->inputs.size() > declared) {
    found = true;
    changes.inputs(
        {.reason = Reason::input_changed, .detail = "it takes fewer inputs than before"});
  }
  if (subject.fingerprint && !found) changes.inputs({.reason = Reason::input_changed});
}

void Judge::age(const Subject& subject, const core::Header& header, Changes& changes) const {
  const auto saved = core::parse_utc(header.at);
  if (!saved) return;
  const std::chrono::nanoseconds age = facts_.now() - *saved;
  if (age < std::chrono::seconds{0}) {
    changes.note({.reason = Reason::clock_skew,
                  .before = header.at,
                  .detail = "saved in the future: its age is unknown and it is kept"});
  } else if (age >
             detail::saturated<std::chrono::nanoseconds>(graph_.nodes[subject.node].max_age)) {
    changes.expired(header.at, detail::earlier(facts_.now(), graph_.nodes[subject.node].max_age));
  }
}

void Judge::no_record(const Subject& subject, Verdict& verdict) const {
  const Node& declared = graph_.nodes[subject.node];
  const std::string path = core::about_path("attempt", declared.name, subject.item);
  const std::span<const Row> rows = facts_.rows(path);
  const bool failed = !rows.empty() && rows.back().damage == Damage::none && subject.fingerprint &&
                      rows.back().head.fingerprint == *subject.fingerprint &&
                      rows.back().head.revision == declared.revision;
  if (!failed) {
    auto gone = lost(subject);
    if (gone && strict_) {
      verdict.refuse(*std::move(gone));
    } else {
      verdict.run(gone ? *std::move(gone) : Cause{.reason = Reason::first_run});
    }
    return;
  }
  const auto header = facts_.header(path, rows.back().generation);
  verdict.run({.reason = Reason::failed,
               .before = header ? std::to_string(header->attempts) : std::string{},
               .detail = core::printable(facts_.failure(path, rows.back()))});
}

// A stage that asked for approval with these very inputs is not called again before the answer.
void Judge::approval(const Subject& subject, Verdict& verdict) const {
  if (verdict.action != Action::run || !subject.fingerprint) return;
  const std::string& stage = graph_.nodes[subject.node].name;
  const auto [state, message] = facts_.approval(stage, subject.item, *subject.fingerprint);
  if (state == Approval::asked) verdict.wait({.reason = Reason::waiting, .detail = message});
}

}  // namespace resumable::plan
