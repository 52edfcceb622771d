#include "store/file/run_scan.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "store/check.hpp"
#include "store/file/folder_cursor.hpp"
#include "store/file/limits.hpp"
#include "store/file/record_file.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr int max_depth = static_cast<int>(max_components) - 1;  // of folders in a record's path

/// A file that is to be read, or was.
struct Item {
  Head head;
  std::string batch;  ///< the name of its file, of a batch
  bool read = false;
};

bool before(const Item& a, const Item& b) {
  // Twins: a batch that was copied to set one of its records aside, before the original was
  // removed.
  const auto rank = [](const Item& item) {
    const Head& head = item.head;
    return std::tie(head.path, head.generation, head.quarantined, head.damage);
  };
  return rank(a) < rank(b);
}

bool same_place(const Item& a, const Item& b) {
  return std::tie(a.head.path, a.head.generation, a.head.quarantined, a.batch) ==
         std::tie(b.head.path, b.head.generation, b.head.quarantined, b.batch);
}

class Scanner {
 public:
  Scanner(const Backend& backend, const RunSite& site, const sys::File& own,
          const ScanOptions& what, BatchIndex* batches)
      : backend_(backend),
        site_(site),
        own_(own),
        what_(what),
        batches_(batches),
        cursor_(backend, own) {}

  std::vector<Head> run() {
    // If an owner erases all the time, a look may be too late again and again.
    for (int look = 0; look < limits::looks; ++look) {
      check_wait(what_.wait);
      std::vector<Item> known = std::move(items_);
      items_.clear();
      again_ = false;
      list(false);
      if (what_.quarantined) list(true);
      std::ranges::sort(items_, before);
      take_over(known);
      read_all();
      if (!again_) break;
    }
    return heads();
  }

 private:
  const std::string& base(bool quarantined) const {
    return quarantined ? names::quarantine : names::checkpoints;
  }

  void list(bool quarantined) {
    sys::File folder;
    const auto error = backend_.files().open(own_, base(quarantined), sys::Open::folder, folder);
    if (is_absent(error)) return;
    if (error) throw site_.unreadable("open", site_.own(base(quarantined)), error);
    list_folder(folder, "", 0, quarantined);
  }

  void list_folder(const sys::File& folder, const std::string& path, int depth, bool quarantined) {
    std::vector<sys::Entry> entries;
    if (const auto error = backend_.files().list(folder, entries)) {
      throw site_.unreadable("list", site_.own(base(quarantined) + '/' + path), error);
    }
    for (const sys::Entry& entry : entries) {
      const std::string below = path.empty() ? entry.name : path + '/' + entry.name;
      if (const auto name = parse_record_name(entry.name)) {
        // Whatever it is: a folder in a record's place is reported as foreign.
        const std::string_view head =
            std::string_view(below).substr(0, below.size() - entry.name.size());
        add(std::string(head) + std::string(name->leaf), name->generation, quarantined);
      } else if (depth == 0 && entry.name == names::batch) {
        list_batches(folder, quarantined);
      } else if (depth < max_depth && may_be_folder(entry.kind) && may_hold(below)) {
        descend(folder, entry, below, depth, quarantined);
      }
    }
  }

  static bool may_be_folder(sys::Kind kind) {
    return kind == sys::Kind::folder || kind == sys::Kind::unknown;
  }

  /// Whether records below this folder can begin with the prefix.
  bool may_hold(const std::string& folder) const {
    const std::string with = folder + '/';
    return with.starts_with(what_.prefix) || what_.prefix.starts_with(with);
  }

  void descend(const sys::File& parent, const sys::Entry& entry, const std::string& path, int depth,
               bool quarantined) {
    sys::File folder;
    const auto error = backend_.files().open(parent, entry.name, sys::Open::folder, folder);
    if (is_absent(error) || error == std::errc::not_a_directory) return;  // foreign
    if (error) throw site_.unreadable("open", site_.own(base(quarantined) + '/' + path), error);
    list_folder(folder, path, depth + 1, quarantined);
  }

  void add(std::string path, std::uint64_t generation, bool quarantined) {
    if (!path.starts_with(what_.prefix) || !is_record_path(path)) return;
    Item item;
    item.head.path = std::move(path);
    item.head.generation = generation;
    item.head.quarantined = quarantined;
    items_.push_back(std::move(item));
  }

  void list_batches(const sys::File& parent, bool quarantined) {
    sys::File folder;
    std::vector<sys::Entry> entries;
    auto error = backend_.files().open(parent, names::batch, sys::Open::folder, folder);
    if (!error) error = backend_.files().list(folder, entries);
    if (is_absent(error)) return;
    if (error) {
      throw site_.unreadable("list", site_.own(base(quarantined) + '/' + names::batch), error);
    }
    for (const sys::Entry& entry : entries) {
      if (is_batch_name(entry.name)) add_batch(folder, entry.name, quarantined);
    }
  }

  void add_batch(const sys::File& folder, const std::string& name, bool quarantined) {
    const auto batch = std::make_shared<BatchFile>();
    Front& front = batch->front;
    sys::File file;
    batch->name = name;
    if (read_front(backend_.files(), folder, name, FileOf::batch, file, front)) {
      again_ = true;
      return;
    }
    if (batches_ != nullptr && !quarantined && front.damage == Damage::none) batches_->add(batch);
    add_records(file, *batch, quarantined);
  }

  void add_records(const sys::File& file, const BatchFile& batch, bool quarantined) {
    const Front& front = batch.front;
    const std::vector<Front::Record> damaged{{front.damage, {}}};
    const auto& records = front.damage == Damage::none ? front.records : damaged;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Front::Record& record = records[i];
      const bool nameless = record.frame.path.empty();
      if (nameless && quarantined) continue;  // it has no number that could be used again
      Item item = item_of(record, front.cause);
      if (what_.headers && !quarantined) add_header(file, front, record, item);
      if (nameless) {
        item.head.path = nameless_path(batch.name);
        item.head.generation = i + 1;
      }
      item.head.quarantined = quarantined;
      item.batch = batch.name;
      if (item.head.path.starts_with(what_.prefix)) items_.push_back(std::move(item));
    }
  }

  static Item item_of(const Front::Record& record, std::error_code cause) {
    const bool whole = record.damage == Damage::none;
    Item item;
    item.read = true;
    item.head = {.path = record.frame.path,
                 .generation = record.frame.generation,
                 .fence = record.frame.fence,
                 .tag = whole ? record.frame.tag : Tag{},
                 .header_bytes = whole ? record.frame.header_bytes : 0,
                 .payload_bytes = whole ? record.frame.payload_bytes : 0,
                 .damage = record.damage,
                 .quarantined = false,
                 .cause = cause,
                 .header = {}};
    return item;
  }

  void add_header(const sys::File& file, const Front& front, const Front::Record& record,
                  Item& item) {
    if (record.damage != Damage::none) return;
    std::string header;
    const auto error = read_header(backend_.files(), file, front, record.frame, header);
    if (!error) {
      item.head.header = std::move(header);
      return;
    }
    item = item_of(
        {error == std::errc::bad_message ? Damage::torn : Damage::unreadable, record.frame}, error);
  }

  /// What was read in an earlier attempt has not changed since, because records never change.
  void take_over(std::vector<Item>& known) {
    auto old = known.begin();
    for (Item& item : items_) {
      while (old != known.end() && before(*old, item) && !same_place(*old, item)) ++old;
      if (old != known.end() && old->read && same_place(*old, item)) item = std::move(*old);
    }
  }

  void read_all() {
    for (Item& item : items_) {
      check_wait(what_.wait);
      if (!item.read) read(item);
    }
    std::erase_if(items_, [](const Item& item) { return !item.read; });
  }

  void read(Item& item) {
    const RecordId id{item.head.path, item.head.generation};
    const Place place = place_of(id);
    Front front;
    sys::File file;
    auto error = cursor_.enter(base(item.head.quarantined), place.folder);
    if (!error)
      error =
          read_front(backend_.files(), cursor_.folder(), place.name, FileOf::record, file, front);
    if (is_absent(error)) {
      again_ = true;
      return;
    }
    if (error) {
      front.damage = Damage::unreadable;
      front.cause = error;
    }
    const Front::Record record = only_record(front, id);
    Item whole = item_of(record, front.cause);
    if (what_.headers && !item.head.quarantined) add_header(file, front, record, whole);
    whole.head.path = std::move(item.head.path);
    whole.head.generation = item.head.generation;
    whole.head.quarantined = item.head.quarantined;
    item = std::move(whole);
  }

  std::vector<Head> heads() {
    std::vector<Head> heads;
    heads.reserve(items_.size());
    for (Item& item : items_) {
      const bool twin = !heads.empty() && heads.back().path == item.head.path &&
                        heads.back().generation == item.head.generation;
      if (!twin) heads.push_back(std::move(item.head));
    }
    return heads;
  }

  const Backend& backend_;
  const RunSite& site_;
  const sys::File& own_;
  const ScanOptions& what_;
  BatchIndex* batches_;
  std::vector<Item> items_;
  bool again_ = false;
  FolderCursor cursor_;
};

}  // namespace

std::vector<Head> scan_run(Backend& backend, const RunSite& site, const sys::File& own,
                           const ScanOptions& what, BatchIndex* batches) {
  std::vector<Head> heads = Scanner(backend, site, own, what, batches).run();
  if (what.prefix.empty() && what.quarantined) {
    std::uint64_t highest = 0;
    for (const Head& head : heads) highest = std::max(highest, head.fence);
    backend.note_fence(site, highest);
  }
  return heads;
}

}  // namespace resumable::store
