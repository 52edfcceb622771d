#include "encryption/runs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"
#include "encryption/names.hpp"
#include "store/fetched.hpp"
#include "store/names.hpp"

namespace resumable::encryption {
namespace {

constexpr std::string_view manifest_place = "the manifest of run ";

Error no_key(std::string_view run, std::string_view id) {
  return {Errc::unreadable,
          {.what = fmt::format("run '{}' is encrypted with the key '{}', which this program does "
                               "not have",
                               core::printable(run), core::printable(id)),
           .run = std::string{run},
           .kept = "everything: nothing was changed",
           .next = "return that key from EncryptionKeys::find"}};
}

Error wrong_key(std::string_view run, std::string_view id) {
  return {Errc::unreadable,
          {.what = fmt::format("the key that this program has as '{}' is not the one that run '{}' "
                               "is encrypted with",
                               core::printable(id), core::printable(run)),
           .run = std::string{run},
           .kept = "everything: nothing was changed",
           .next = "let EncryptionKeys::find give the former key under that id"}};
}

Error not_encrypted(std::string_view run) {
  return {Errc::foreign,
          {.what = fmt::format("run '{}' is not encrypted", core::printable(run)),
           .run = std::string{run},
           .kept = "everything: nothing was changed",
           .next = "open it without EncryptedStore; copy_run() copies it into an encrypted store"}};
}

/// A head, and what it refers to.
struct Found {
  std::string path;
  RecordHead head;
  std::optional<std::string> header;
};

/// Damage that has no name is called as the next store calls it.
bool is_nameless(std::string_view path) { return store::batch_of_nameless(path).has_value(); }

}  // namespace

Error refusal(std::string_view run, RecordId id, const HeadReading& reading, std::string file) {
  const Errc code = reading.damage == Damage::foreign ? Errc::foreign
                    : reading.damage == Damage::newer ? Errc::newer
                                                      : Errc::damaged;
  return {code,
          {.what = fmt::format("the record '{}' of run '{}' {}", core::printable(id.path),
                               core::printable(run), reading.why),
           .run = std::string{run},
           .file = std::move(file),
           .kept = "its bytes as they are"}};
}

Runs::Keys Runs::look(std::string_view run, const Wait& wait) {
  Keys keys;
  std::optional<Error> problem;
  next_.scan(run, {.quarantined = false, .wait = wait}, [&](const RecordHead& head) {
    if (head.damage != Damage::none) return true;
    const OuterTag tag = read_tag(head.tag);
    if (tag.damage != Damage::none) {
      if (!problem) problem = not_encrypted(run);
      return true;
    }
    auto found = ring_.find(tag.id, run);
    const bool same = found && found->check() == tag.check;
    if (same) keys = std::move(found);
    if (!same) problem = found ? wrong_key(run, tag.id) : no_key(run, tag.id);
    return !same;
  });
  if (!keys && problem) throw Error(*problem);
  if (keys) {
    const std::scoped_lock lock{guard_};
    known_.insert_or_assign(std::string{run}, keys);
  }
  return keys;
}

Runs::Keys Runs::of(std::string_view run, const Wait& wait) {
  {
    const std::scoped_lock lock{guard_};
    if (const auto known = known_.find(run); known != known_.end()) return known->second;
  }
  Keys keys = look(run, wait);
  return keys ? keys : ring_.current_for(run);
}

std::map<std::string, std::string> Runs::book(std::string_view run, const Keys& keys,
                                              const Wait& wait) const {
  const Names names{keys};
  const Names::Book none = [](const std::string&) { return std::nullopt; };
  const std::string prefix = names.seal_prefix(book_folder);
  std::map<std::string, std::string> found;
  next_.scan(run, {.prefix = prefix, .quarantined = false, .headers = true, .wait = wait},
             [&](const RecordHead& head) {
               const auto path = names.open(head.id.path, none);
               if (!path || !head.header) return true;
               const RecordId id{*path, head.id.generation};
               HeadReading reading = open_head(*keys, run, id, head.tag, *head.header);
               if (reading.damage != Damage::none) return true;
               found.emplace(path->substr(book_folder.size()), std::move(reading.head.header));
               return true;
             });
  return found;
}

void Runs::scan(std::string_view run, const ScanOptions& what,
                FunctionRef<bool(const RecordHead&)> visit) {
  const Keys keys = look(run, what.wait);
  if (!keys) {  // no whole record: damage alone
    return next_.scan(
        run, {.prefix = "", .quarantined = what.quarantined, .wait = what.wait},
        [&](const RecordHead& head) { return !is_nameless(head.id.path) || visit(head); });
  }
  const Names names{keys};
  std::optional<std::map<std::string, std::string>> book;
  const Names::Book long_names = [&](const std::string& brief) -> std::optional<std::string> {
    if (!book) book = this->book(run, keys, what.wait);
    const auto at = book->find(brief);
    return at == book->end() ? std::nullopt : std::optional{at->second};
  };
  std::vector<Found> all;
  const std::string prefix = names.seal_prefix(what.prefix);
  const auto take = [&](const RecordHead& outer) {
    Found found{.path = std::string{outer.id.path}, .head = outer, .header = {}};
    found.head.header.reset();
    found.head.tag = {};
    const auto path = is_nameless(found.path) ? std::nullopt : names.open(found.path, long_names);
    if (path) found.path = *path;
    if (found.path.starts_with(book_folder)) return true;
    if (!path && !is_nameless(found.path)) found.head.damage = Damage::foreign;
    if (!std::string_view{found.path}.starts_with(what.prefix)) return true;
    if (path && outer.header) {
      HeadReading reading =
          open_head(*keys, run, {found.path, outer.id.generation}, outer.tag, *outer.header);
      found.head.damage = reading.damage;
      found.head.tag = reading.head.tag;
      found.head.header_bytes = reading.head.header_bytes;
      found.head.payload_bytes = reading.head.payload_bytes;
      const bool whole = reading.damage == Damage::none && !reading.head.header_in_payload;
      if (whole && what.headers) found.header = std::move(reading.head.header);
    } else {
      found.head.header_bytes = found.head.payload_bytes = 0;
    }
    all.push_back(std::move(found));
    return true;
  };
  next_.scan(
      run, {.prefix = prefix, .quarantined = what.quarantined, .headers = true, .wait = what.wait},
      take);
  std::ranges::stable_sort(all, [](const Found& a, const Found& b) {
    return std::tie(a.path, a.head.id.generation) < std::tie(b.path, b.head.id.generation);
  });
  for (Found& one : all) {
    one.head.id.path = one.path;
    if (one.header) one.head.header = *one.header;
    if (!visit(one.head)) return;
  }
}

RecordId Runs::sealed_id(std::string_view run, RecordId id, std::string& path, const Wait& wait) {
  return sealed_with(is_nameless(id.path) ? nullptr : of(run, wait), id, path);
}

RecordId Runs::sealed_with(const Keys& keys, RecordId id, std::string& path) {
  path = is_nameless(id.path) ? std::string{id.path} : Names{keys}.seal(id.path).path;
  return {path, id.generation};
}

StoredRecord Runs::open(const Keys& keys, std::string_view run, RecordId id, RecordId sealed,
                        StoredRecord record) const {
  HeadReading reading = open_head(*keys, run, id, record.tag, record.header);
  if (reading.damage != Damage::none) throw refusal(run, id, reading, next_.locate(run, sealed));
  try {
    return open_record(*keys, std::move(reading.head), record.tag, std::move(record.payload));
  } catch (const Error& error) {
    if (error.errc() != Errc::damaged) throw;
    throw refusal(run, id,
                  {.damage = Damage::torn, .why = "has an encrypted payload that was changed"},
                  next_.locate(run, sealed));
  }
}

void Runs::get_many(std::string_view run, std::span<const RecordId> ids,
                    FunctionRef<bool(Fetched)> visit, const Wait& wait) {
  const Keys keys = of(run, wait);
  std::vector<std::string> paths(ids.size());  // which the sealed ids refer to
  std::vector<RecordId> sealed;
  sealed.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    sealed.push_back(sealed_with(keys, ids[i], paths[i]));
  }
  next_.get_many(
      run, sealed,
      [&](Fetched one) {
        if (!one.record) return visit(std::move(one));
        const std::size_t i = one.index;
        return visit(store::fetched(i, [&] {
          return std::optional{open(keys, run, ids[i], sealed[i], *std::move(one.record))};
        }));
      },
      wait);
}

std::string Runs::seal_manifest(const RunKeys& keys, std::string_view run, std::string_view json) {
  return seal_text(keys, std::string{manifest_place}.append(run), json);
}

void Runs::forget(std::string_view run) {
  const std::scoped_lock lock{guard_};
  if (const auto at = known_.find(run); at != known_.end()) known_.erase(at);
}

/// A manifest that was changed, or that is not ours, is treated as empty: it is never read to
/// decide anything, and the next call writes it again.
std::optional<std::string> Runs::manifest(std::string_view run, const Wait& wait) {
  const auto sealed = next_.manifest(run, wait);
  if (!sealed) return std::nullopt;
  const auto id = key_of_text(*sealed);
  if (!id) return "";
  const Keys keys = ring_.find(*id, run);
  if (!keys) throw no_key(run, *id);
  return open_text(*keys, std::string{manifest_place}.append(run), *sealed).value_or("");
}

}  // namespace resumable::encryption
