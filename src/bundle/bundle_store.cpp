#include "bundle/bundle_store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/remedy.hpp"
#include "resumable/bundle.hpp"
#include "resumable/error.hpp"

namespace resumable::bundle {
namespace {

/// A payload in the file, which stays open for it.
class FilePayload final : public Payload {
 public:
  FilePayload(sys::FileSystem& files, std::shared_ptr<const sys::File> file, std::string shown,
              std::uint64_t at, std::uint64_t size)
      : files_(files), file_(std::move(file)), shown_(std::move(shown)), at_(at), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size_) return 0;
    to = to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size_ - at)));
    std::size_t count = 0;
    if (const auto error = sys::read_fully(files_, *file_, at_ + at, to, count)) {
      throw_unreadable(shown_, error);
    }
    return count;
  }

 private:
  sys::FileSystem& files_;
  std::shared_ptr<const sys::File> file_;
  std::string shown_;
  std::uint64_t at_;
  std::uint64_t size_;
};

bool is_absent(std::error_code error) { return error == std::errc::no_such_file_or_directory; }

}  // namespace

std::string Record::name() const { return fmt::format("records/{}.{}", path, generation); }

/// Writes the file by its only commit.
class BundleStore::WritingLease final : public Lease {
 public:
  WritingLease(BundleStore& store, std::string run, std::uint64_t fence)
      : Lease(fence), store_(store), run_(std::move(run)) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& /*one durability*/) override {
    write_bundle(*store_.files_, store_.path_, run_, batch.puts);
    store_.open();
    return 1;
  }
  void do_manifest(std::string_view /*a bundle has its own*/,
                   const Wait& /*nothing to wait for*/) override {}
  std::string do_quarantine(RecordId /*nothing is moved*/,
                            const Wait& /*nothing to wait for*/) override {
    throw Error(Errc::bad_option, {.what = "a bundle is written once",
                                   .file = store_.path_,
                                   .kept = "nothing was changed",
                                   .next = "import it into a store"});
  }

  BundleStore& store_;
  std::string run_;
};

BundleStore::BundleStore(const std::filesystem::path& file, sys::FileSystem* files)
    : system_(files != nullptr ? nullptr : sys::posix_file_system()),
      files_(files != nullptr ? files : system_.get()),
      path_(sys::absolute_path(file.string())) {
  open();
}

BundleStore::~BundleStore() = default;

void throw_unreadable(const std::string& shown, std::error_code error) {
  throw Error(Errc::unreadable, {.what = "a bundle cannot be read",
                                 .operation = "read",
                                 .file = shown,
                                 .next = core::remedy(error, "fix the cause") + ", then try again",
                                 .cause = error});
}

void BundleStore::open() {
  const std::size_t slash = path_.rfind('/');
  sys::File folder;
  auto opened = std::make_shared<sys::File>();
  auto error = files_->open_root(slash == 0 ? "/" : path_.substr(0, slash), folder);
  if (!error) error = files_->open(folder, path_.substr(slash + 1), sys::Open::read, *opened);
  if (is_absent(error)) return;
  if (error) {
    throw Error(Errc::unreadable,
                {.what = "a bundle cannot be opened",
                 .operation = "open",
                 .file = path_,
                 .next = core::remedy(error, "fix the cause") + ", then try again",
                 .cause = error});
  }
  contents_ = read_contents(*files_, *opened, path_);
  file_ = std::move(opened);
}

void BundleStore::must_exist() const {
  if (file_) return;
  throw Error(Errc::unreadable,
              {.what = "there is no such bundle",
               .operation = "open",
               .file = path_,
               .next = "give the path of a file that export_bundle() has written",
               .cause = std::make_error_code(std::errc::no_such_file_or_directory)});
}

std::unique_ptr<Lease> BundleStore::do_lease(std::string_view run, const LeaseRequest& request) {
  if (file_ && run != contents_.run) {
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("the bundle has run '{}' already", contents_.run),
                 .file = path_,
                 .kept = "nothing was changed",
                 .next = "choose another file"});
  }
  leased_ = run;
  return std::make_unique<WritingLease>(*this, std::string{run}, request.fence_above + 1);
}

std::string BundleStore::header_of(const Record& record) const {
  std::string header(static_cast<std::size_t>(record.header_bytes), '\0');
  std::size_t count = 0;
  const auto error = sys::read_fully(*files_, *file_, record.at, header, count);
  if (!error && count == header.size()) return header;
  throw_unreadable(path_, error);
}

void BundleStore::do_scan(std::string_view run, const ScanOptions& what,
                          FunctionRef<bool(const RecordHead&)> visit) const {
  if (run != contents_.run) return;
  for (const Record& one : contents_.records) {
    if (!one.path.starts_with(what.prefix)) continue;
    RecordHead head{.id = {one.path, one.generation},
                    .tag = one.tag,
                    .header_bytes = one.header_bytes,
                    .payload_bytes = one.payload_bytes};
    std::string header;
    if (what.headers) {
      header = header_of(one);
      head.header = header;
    }
    if (!visit(head)) return;
  }
}

std::optional<StoredRecord> BundleStore::do_get(std::string_view run, RecordId id,
                                                const Wait& /*a disk answers*/) const {
  if (run != contents_.run) return {};
  const auto found = std::ranges::lower_bound(
      contents_.records, std::pair{id.path, id.generation}, {}, [](const Record& one) {
        return std::pair{std::string_view{one.path}, one.generation};
      });
  const bool there = found != contents_.records.end() && found->path == id.path &&
                     found->generation == id.generation;
  if (!there) return {};
  return StoredRecord{
      found->tag, header_of(*found),
      std::make_shared<FilePayload>(*files_, file_, path_, found->at + found->header_bytes + 1,
                                    found->payload_bytes)};
}

void BundleStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                          const Wait& /*nothing to wait for*/) const {
  const std::string& run = file_ ? contents_.run : leased_;
  if (!run.empty() && run.starts_with(prefix)) visit(run);
}

std::optional<Owner> BundleStore::do_owner(std::string_view /*run*/,
                                           const Wait& /*nothing to wait for*/) const {
  return {};
}

std::optional<std::string> BundleStore::do_manifest(std::string_view /*run*/,
                                                    const Wait& /*nothing to wait for*/) const {
  return {};
}

std::string BundleStore::do_locate(std::string_view /*run*/, RecordId id) const {
  return fmt::format("{}: records/{}.{}", path_, id.path, id.generation);
}

std::string BundleStore::do_url() const { return "bundle:" + path_; }

}  // namespace resumable::bundle

namespace resumable {
inline namespace v0 {

CopyResult export_bundle(const CheckpointStore& store, std::string_view run,
                         const std::filesystem::path& file, const CopyOptions& options) {
  bundle::BundleStore to{file};
  if (options.dry_run) static_cast<void>(to.lease(run));  // refuses another run's file
  return copy_run(store, run, to, run, options);
}

CopyResult import_bundle(const std::filesystem::path& file, CheckpointStore& to,
                         std::string_view new_id, const CopyOptions& options) {
  const bundle::BundleStore from{file};
  from.must_exist();
  return copy_run(from, from.run(), to, new_id.empty() ? from.run() : new_id, options);
}

Verification verify_bundle(const std::filesystem::path& file) {
  const bundle::BundleStore from{file};
  from.must_exist();
  return verify_run(from, from.run());
}

}  // namespace v0
}  // namespace resumable
