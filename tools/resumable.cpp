// The inspector. A program that links stores or codecs of its own has a main like this one: see
// docs/inspector.md.
#include <memory>
#include <utility>

#include <resumable/inspector.hpp>

#ifdef RESUMABLE_WITH_BUNDLES
#include <resumable/bundle.hpp>
#endif
#ifdef RESUMABLE_WITH_POSTGRES
#include <resumable/postgres_store.hpp>
#endif
#ifdef RESUMABLE_WITH_S3
#include <resumable/s3.hpp>
#endif
#ifdef RESUMABLE_WITH_SHA256
#include <resumable/sha256.hpp>
#endif
#ifdef RESUMABLE_WITH_SQLITE
#include <resumable/sqlite_store.hpp>
#endif
#ifdef RESUMABLE_WITH_ZSTD
#include <resumable/zstd.hpp>
#endif

int main(int argc, char** argv) {
  resumable::InspectorOptions options;
#ifdef RESUMABLE_WITH_BUNDLES
  options.export_bundle = resumable::export_bundle;
  options.import_bundle = resumable::import_bundle;
#endif
#ifdef RESUMABLE_WITH_POSTGRES
  options.stores["postgres"] = resumable::open_postgres_store;
  options.stores["postgresql"] = resumable::open_postgres_store;
#endif
#ifdef RESUMABLE_WITH_SQLITE
  options.stores["sqlite"] = resumable::open_sqlite_store;
#endif
#ifdef RESUMABLE_WITH_S3
  options.stores = resumable::with_s3_payloads(options.stores);  // behind those that follow
#endif
#ifdef RESUMABLE_WITH_ZSTD
  options.stores = resumable::with_compression(options.stores);
#endif
#ifdef RESUMABLE_WITH_SHA256
  options.stores = resumable::with_sha256(options.stores);
  options.through = [](std::unique_ptr<resumable::CheckpointStore> store) {
    return std::make_unique<resumable::Sha256Store>(std::move(store), resumable::Sha256Use::check);
  };
#endif
  return resumable::inspect(argc, argv, options);
}
