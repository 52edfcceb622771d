#include "program/store.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <resumable/cli.hpp>
#include <resumable/open_store.hpp>

#ifdef RESUMABLE_WITH_POSTGRES
#include <resumable/postgres_store.hpp>
#endif
#ifdef RESUMABLE_WITH_S3
#include <resumable/s3.hpp>
#endif
#ifdef RESUMABLE_WITH_SQLITE
#include <resumable/sqlite_store.hpp>
#endif
#ifdef RESUMABLE_WITH_ZSTD
#include <resumable/zstd.hpp>
#endif

namespace program {
namespace rs = resumable;

namespace {

const std::string usual_out = Place{}.out;

std::unique_ptr<rs::CheckpointStore> open(const Place& place) {
  if (place.store.empty()) return std::make_unique<rs::FileStore>(place.out);
  rs::StoreFactories kinds;
#ifdef RESUMABLE_WITH_POSTGRES
  kinds["postgres"] = kinds["postgresql"] = rs::open_postgres_store;
#endif
#ifdef RESUMABLE_WITH_SQLITE
  kinds["sqlite"] = rs::open_sqlite_store;
#endif
#ifdef RESUMABLE_WITH_S3
  kinds = rs::with_s3_payloads(kinds);
#endif
#ifdef RESUMABLE_WITH_ZSTD
  kinds = rs::with_compression(kinds);
#endif
  return rs::open_store(place.store, kinds, rs::CreateStore::if_absent);
}

}  // namespace

std::string Place::checkpoints() const { return store.empty() ? out : rs::without_password(store); }

std::string Place::flags() const {
  std::string flags;
  if (out != usual_out) flags += " --out " + rs::cli::shell_quote(out);
  if (!store.empty()) flags += " --store " + rs::cli::shell_quote(rs::without_password(store));
  return flags;
}

void add_store_flags(CLI::App& command, Place& place, const std::string& runs) {
  command.add_option("--out", place.out, "the folder of all " + runs)
      ->capture_default_str()
      ->type_name("DIR");
  command
      .add_option("--store", place.store,
                  "where the checkpoints are: file:DIR, journal:DIR, sqlite:FILE, "
                  "postgres://…; compressed with zstd+ before it; large values in S3 with "
                  "?payloads=s3://BUCKET/PREFIX behind it; default: --out")
      ->type_name("URL");
}

std::string folder_of(rs::CheckpointStore& store, std::string_view run) {
  return store.capability<rs::ArtifactFolder>()->artifact_folder(run);
}

std::string recorded_folder(const rs::CheckpointStore& store, std::string_view run) {
  const auto* own = dynamic_cast<const Store*>(&store);
  return own != nullptr && own->is_apart() ? own->artifact_folder(run) : "";
}

Store::Store(const Place& place) : Store{place, open(place)} {}

Store::Store(const Place& place, std::unique_ptr<rs::CheckpointStore> checkpoints)
    : ForwardingStore{*checkpoints},
      checkpoints_{std::move(checkpoints)},
      folders_{place.out},
      is_apart_{!place.store.empty()} {}

std::unique_ptr<rs::Lease> Store::do_lease(std::string_view run, const rs::LeaseRequest& request) {
  auto lease = checkpoints_->lease(run, request);
  std::filesystem::create_directories(artifact_folder(run));
  return lease;
}

rs::RemoveResult Store::do_remove(std::string_view run, const rs::RemoveOptions& options) {
  const rs::RemoveResult result = checkpoints_->remove(run, options);
  std::error_code not_empty;  // what is in it stays
  std::filesystem::remove(artifact_folder(run), not_empty);
  return result;
}

std::string Store::artifact_folder(std::string_view run) const {
  return folders_.artifact_folder(run);
}

std::optional<rs::StoredRecord> Store::do_find(std::string_view path, const rs::Wait& wait) const {
  return checkpoints_->capability<rs::ContentCache>()->find(path, wait);
}

bool Store::do_put_if_absent(const rs::Put& put, const rs::Wait& wait) {
  return checkpoints_->capability<rs::ContentCache>()->put_if_absent(put, wait);
}

void Store::do_replace(const rs::Put& put, const rs::Wait& wait) {
  checkpoints_->capability<rs::ContentCache>()->replace(put, wait);
}

}  // namespace program
