#include "value/nested_schemas.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "resumable/detail/nested_schemas.hpp"
#include "resumable/error.hpp"
#include "value/shape.hpp"

namespace resumable {
namespace value {

/// An entry of a list.
struct Listed {
  std::string_view name;
  std::uint32_t version = 1;
  bool visible = true;  ///< the type shows it
};

namespace {

using detail::SchemaRange;

constexpr std::string_view none = "-";

std::string name_of(const SchemaRange& range) {
  return std::string{range.name.empty() ? std::string_view{range.type().name()} : range.name};
}

bool is_called(const SchemaRange& range, std::string_view name) {
  return name == range.name || name == range.type().name();
}

/// A list is proved by the header's check, so what does not fit is of a later version.
std::vector<Listed> parse_list(std::string_view inside) {
  std::vector<Listed> all;
  while (!inside.empty() && inside != none) {
    const std::size_t end = std::min(inside.find(' '), inside.size());
    std::string_view one = inside.substr(0, end);
    inside.remove_prefix(std::min(end + 1, inside.size()));
    Listed listed;
    listed.visible = !one.ends_with('+');
    if (!listed.visible) one.remove_suffix(1);
    const std::size_t colon = one.rfind(':');
    if (colon == one.npos) continue;
    listed.name = one.substr(0, colon);
    std::from_chars(one.data() + colon + 1, one.data() + one.size(), listed.version);
    all.push_back(listed);
  }
  return all;
}

std::string list_of(const std::vector<SchemaRange>& schemas, std::string_view mark) {
  std::string text;
  for (const SchemaRange& range : schemas) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}:{}{}", name_of(range), range.newest, mark);
  }
  return text;
}

/// The names of all types with a schema that this program has.
struct Known {
  std::mutex guard;
  std::set<std::string, std::less<>> names;
};

Known& known() {
  static Known all;
  return all;
}

bool is_known(std::string_view name) {
  Known& all = known();
  const std::scoped_lock lock{all.guard};
  return all.names.contains(name);
}

std::optional<SchemaChange> change_of(const SchemaRange& range, std::uint32_t before) {
  SchemaChange change{SchemaChange::What::migrated, name_of(range), before, range.oldest,
                      range.newest};
  if (before == range.newest) return std::nullopt;
  if (before > range.newest) change.what = SchemaChange::What::newer;
  if (before < range.oldest) change.what = SchemaChange::What::no_migration;
  return change;
}

/// @param inside "" if no list was recorded
std::optional<SchemaChange> change_of(const SchemaRange& range, std::string_view inside,
                                      const std::vector<Listed>& list) {
  const auto listed = std::find_if(list.begin(), list.end(),
                                   [&](const Listed& one) { return is_called(range, one.name); });
  if (listed != list.end()) return change_of(range, listed->version);
  // A type without a Schema has version 1.
  if (!inside.empty() || range.newest == 1) return change_of(range, 1);
  if (range.unrecorded != 0) return change_of(range, range.unrecorded);
  return SchemaChange{SchemaChange::What::unrecorded, name_of(range), 0, range.oldest,
                      range.newest};
}

SchemaChange unknown_type(const Listed& listed) {
  return {SchemaChange::What::newer, std::string{listed.name}, listed.version, 0, 0};
}

}  // namespace

std::string schemas_inside(const detail::TypeShape& shape) {
  if (!shape.holds_others) return {};
  std::string text = list_of(shape.schemas, "");
  const std::string found = list_of(shape.found, "+");
  if (!text.empty() && !found.empty()) text += ' ';
  text += found;
  return text.empty() ? std::string{none} : text;
}

std::uint32_t shape_hash(const detail::TypeShape& shape) {
  if (shape.schemas.empty()) return shape_hash(shape.fields);
  return shape_hash(shape.fields + '\n' + list_of(shape.schemas, ""));
}

std::vector<SchemaChange> schema_changes(std::string_view inside, const detail::TypeShape& now,
                                         bool same_root) {
  std::vector<SchemaChange> changes;
  if (!now.holds_others) return changes;
  const std::vector<Listed> list = parse_list(inside);
  for (const SchemaRange& range : now.schemas) {
    if (auto change = change_of(range, inside, list)) changes.push_back(*std::move(change));
  }
  for (const Listed& one : list) {
    const auto is_it = [&](const SchemaRange& range) { return is_called(range, one.name); };
    if (!same_root || one.version == 1) continue;
    if (std::any_of(now.schemas.begin(), now.schemas.end(), is_it)) continue;
    if (one.visible || !is_known(one.name)) changes.push_back(unknown_type(one));
  }
  return changes;
}

std::string text_of(const SchemaChange& change) {
  const std::string knows = change.newest == 0
                                ? "does not know that type"
                                : fmt::format("knows {} to {}", change.oldest, change.newest);
  switch (change.what) {
    case SchemaChange::What::migrated:
      return fmt::format("holds '{}': schema {} -> {}", change.name, change.before, change.newest);
    case SchemaChange::What::newer:
      return fmt::format("holds '{}' with schema {}; this program {}", change.name, change.before,
                         knows);
    case SchemaChange::What::no_migration:
      return fmt::format("holds '{}' with schema {}; its migrations begin at {}", change.name,
                         change.before, change.oldest);
    case SchemaChange::What::unrecorded: break;
  }
  return fmt::format(
      "it was written before schemas of types inside a value were recorded, and '{}' has versions "
      "{} to {}",
      change.name, change.oldest, change.newest);
}

bool are_current(std::string_view inside, const detail::TypeShape& now) {
  const std::vector<Listed> list = parse_list(inside);
  const auto is_current = [&](const SchemaRange& range) { return !change_of(range, inside, list); };
  return std::all_of(now.schemas.begin(), now.schemas.end(), is_current) &&
         std::all_of(now.found.begin(), now.found.end(), is_current);
}

}  // namespace value

inline namespace v0 {
namespace detail {

namespace {

thread_local CodecCall* current_call = nullptr;

[[noreturn]] void refuse(const value::SchemaChange& change) {
  using What = value::SchemaChange::What;
  const bool is_newer = change.what == What::newer;
  throw Error(is_newer ? Errc::newer : Errc::no_migration,
              {.what = value::text_of(change),
               .kept = "the saved bytes are untouched",
               .next = is_newer ? "run the program that saved it, or a later one"
                       : change.what == What::no_migration
                           ? fmt::format("add the migration {} -> {}, or redo the stage",
                                         change.before, change.before + 1)
                           : "redo the stage, or state the version in the Schema of that type: "
                             "`static constexpr std::uint32_t unrecorded = 1;`"});
}

}  // namespace

bool know_schema(const SchemaRange& range) {
  value::Known& all = value::known();
  const std::scoped_lock lock{all.guard};
  all.names.emplace(range.type().name());
  if (!range.name.empty()) all.names.emplace(range.name);
  return true;
}

struct SchemaNotes::Data {
  mutable std::mutex guard;
  std::vector<SchemaRange> all;
};

SchemaNotes::SchemaNotes() : data_(std::make_unique<Data>()) {}
SchemaNotes::~SchemaNotes() = default;

void SchemaNotes::note(const SchemaRange& range) {
  const std::scoped_lock lock{data_->guard};
  const std::string name = value::name_of(range);
  for (const SchemaRange& one : data_->all) {
    if (value::name_of(one) != name) continue;
    if (one.newest == range.newest) return;
    throw Error(Errc::not_encodable,
                {.what = fmt::format("it holds two types whose schemas are both called '{}'", name),
                 .next = "give each Schema a name of its own"});
  }
  data_->all.push_back(range);
}

std::vector<SchemaRange> SchemaNotes::all() const {
  const std::scoped_lock lock{data_->guard};
  return data_->all;
}

struct CodecCall::Data {
  SchemaRange root;
  bool root_is_next = true;  ///< the first value of its type is the root itself
  CodecCall* outer = nullptr;
  // Encoding.
  SchemaNotes* notes = nullptr;
  bool probes = false;
  const std::type_info* last = nullptr;  ///< what was noted last: elements come in rows
  // Decoding.
  std::string inside;
  std::uint32_t saved_version = 1;
  bool as_now = true;
  bool same_root = true;
  std::vector<value::Listed> list;
  std::map<const std::type_info*, std::uint32_t> versions;
  std::map<const void*, std::shared_ptr<const void>> migrated;

  bool is_root(const SchemaRange& range) {
    return range.type() == root.type() && std::exchange(root_is_next, false);
  }
  std::uint32_t listed_version(const SchemaRange& range);
};

CodecCall::CodecCall(SchemaNotes& notes, const SchemaRange& root, bool probes)
    : data_(std::make_unique<Data>()) {
  data_->root = root;
  data_->notes = &notes;
  data_->probes = probes;
  data_->outer = std::exchange(current_call, this);
}

CodecCall::CodecCall(const SavedAs& saved, const SchemaRange& root)
    : data_(std::make_unique<Data>()) {
  data_->root = root;
  data_->saved_version = saved.version;
  data_->inside = saved.inside;
  data_->as_now = saved.inside == SavedAs::now;
  data_->same_root = saved.version == 0 || saved.version == root.newest;
  if (!data_->as_now) data_->list = value::parse_list(data_->inside);
  data_->outer = std::exchange(current_call, this);
}

CodecCall::~CodecCall() { current_call = data_->outer; }

CodecCall* CodecCall::current() noexcept { return current_call; }

bool CodecCall::probes() const noexcept { return data_->probes; }

void CodecCall::note(const SchemaRange& range) {
  if (data_->notes == nullptr || data_->last == &range.type() || data_->is_root(range)) return;
  data_->notes->note(range);
  data_->last = &range.type();
}

std::uint32_t CodecCall::Data::listed_version(const SchemaRange& range) {
  if (as_now) return range.newest;
  const auto [at, fresh] = versions.try_emplace(&range.type(), range.newest);
  if (!fresh) return at->second;
  const auto change = value::change_of(range, inside, list);
  if (!change) return at->second;
  if (change->what != value::SchemaChange::What::migrated) refuse(*change);
  return at->second = change->before;
}

std::uint32_t CodecCall::root_version() {
  return data_->saved_version != 0 ? data_->saved_version : data_->listed_version(data_->root);
}

std::uint32_t CodecCall::version(const SchemaRange& range) {
  if (data_->notes != nullptr || data_->is_root(range)) return range.newest;
  return data_->listed_version(range);
}

CodecCall::OneDocument::OneDocument() {
  if (current_call != nullptr) outer_.swap(current_call->data_->migrated);
}

CodecCall::OneDocument::~OneDocument() {
  if (current_call != nullptr) outer_.swap(current_call->data_->migrated);
}

void CodecCall::keep(const void* place, std::shared_ptr<const void> document) {
  data_->migrated.insert_or_assign(place, std::move(document));
}

const void* CodecCall::kept(const void* place) const noexcept {
  const auto found = data_->migrated.find(place);
  return found == data_->migrated.end() ? nullptr : found->second.get();
}

bool CodecCall::has_migrated() const noexcept { return !data_->migrated.empty(); }

void CodecCall::finish() const {
  if (data_->as_now || !data_->same_root) return;
  for (const value::Listed& one : data_->list) {
    if (one.version != 1 && !value::is_known(one.name)) refuse(value::unknown_type(one));
  }
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
