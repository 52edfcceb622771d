// The inspector. A program that links stores or codecs of its own has a main like this one: see
// docs/inspector.md.
#include <resumable/inspector.hpp>

#ifdef RESUMABLE_WITH_BUNDLES
#include <resumable/bundle.hpp>
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
#ifdef RESUMABLE_WITH_SQLITE
  options.stores["sqlite"] = resumable::open_sqlite_store;
#endif
#ifdef RESUMABLE_WITH_ZSTD
  options.stores = resumable::with_compression(options.stores);
#endif
  return resumable::inspect(argc, argv, options);
}
