// A stranger's first program: three typed stages, run twice; the second time nothing runs. Then the
// same with whatever the components that are linked add.
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <resumable/resumable.hpp>
#ifdef WITH_bundle
#include <resumable/bundle.hpp>
#endif
#ifdef WITH_cli
#include <resumable/cli.hpp>
#endif
#ifdef WITH_encryption
#include <resumable/encryption.hpp>
#endif
#ifdef WITH_inspector
#include <resumable/inspector.hpp>
#endif
#ifdef WITH_postgres
#include <resumable/postgres_store.hpp>
#endif
#ifdef WITH_s3
#include <resumable/s3.hpp>
#endif
#ifdef WITH_sha256
#include <resumable/sha256.hpp>
#endif
#ifdef WITH_sqlite
#include <resumable/sqlite_store.hpp>
#endif
#ifdef WITH_testing
#include <resumable/testing/check_store.hpp>
#endif
#ifdef WITH_yaml
#include <resumable/yaml.hpp>
#endif
#ifdef WITH_zstd
#include <resumable/zstd.hpp>
#endif

namespace rs = resumable;
using namespace std::string_literals;

struct Deck {
  std::string company;
  int slides = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, company, slides)

struct Research {
  std::vector<std::string> findings;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, findings)

// The kit for stores, without a test framework.
bool stores_are_checked() {
#ifdef WITH_testing
  const auto report = rs::testing::check_store([](std::string_view place) {
    return std::make_unique<rs::FileStore>("checked/" + std::string{place});
  });
  if (!report.passed()) std::printf("%s", report.text().c_str());
  return report.passed() && report.find("durable") != nullptr;
#else
  return true;
#endif
}

bool runs_once(rs::CheckpointStore& store) {
  int bodies = 0;

  rs::Pipeline memo{"memo"};
  const auto company = memo.input("company", "Fernstone"s);
  const auto deck = memo.stage("deck", inputs(company), [&bodies](const std::string& name) {
    ++bodies;
    return Deck{name, 12};
  });
  const auto research = memo.stage("research", inputs(deck), [&bodies](const Deck& d) {
    ++bodies;
    return Research{{d.company + " has " + std::to_string(d.slides) + " slides"}};
  });
  const auto draft =
      memo.stage("draft", inputs(deck, research), [&bodies](const Deck& d, const Research& r) {
        ++bodies;
        return d.company + ": " + r.findings.front();
      });

  for (const int expected : {3, 3}) {
    const rs::Report report = rs::resume(memo, store, {.run = "fernstone-v0.0.1"});
    if (!report || bodies != expected || report[draft] != "Fernstone: Fernstone has 12 slides") {
      std::printf("%s: exit code %d after %d bodies\n", store.url().c_str(), report.exit_code(),
                  bodies);
      return false;
    }
  }
  return true;
}

// Through all stores that wrap another one, to one that a component brings.
bool component_stores_run() {
  std::unique_ptr<rs::CheckpointStore> store = std::make_unique<rs::FileStore>("wrapped");
#ifdef WITH_s3
  store = rs::open_store("wrapped", rs::with_s3_payloads(), rs::CreateStore::if_absent);
#endif
#ifdef WITH_sqlite
  store = std::make_unique<rs::SqliteStore>("runs.db");
#endif
#ifdef WITH_sha256
  store = std::make_unique<rs::Sha256Store>(std::move(store));
#endif
#ifdef WITH_encryption
  const rs::EncryptionKey key = rs::EncryptionKey::random();
  store = std::make_unique<rs::EncryptedStore>(
      std::move(store), rs::EncryptionKeys{.current = "a", .find = [&](std::string_view) {
                                             return std::optional{key};
                                           }});
#endif
#ifdef WITH_zstd
  store = std::make_unique<rs::CompressedStore>(std::move(store));
#endif
  return runs_once(*store);
}

// Of stores on servers, which are not there: what they throw.
bool is_away(const char* name, rs::CheckpointStore& store) {
  try {
    static_cast<void>(store.lease("fernstone-v0.0.1"));
  } catch (const rs::Error&) {
    return true;
  }
  std::printf("%s: there is no server, and it did not notice\n", name);
  return false;
}

bool servers_are_away([[maybe_unused]] rs::FileStore& files) {
  bool all = true;
#ifdef WITH_postgres
  rs::PostgresStore postgres{"postgres://nobody@/none?host=/nowhere",
                             {.timeout = std::chrono::milliseconds{100}}};
  all = is_away("postgres", postgres) && all;
#endif
#ifdef WITH_s3
  rs::S3PayloadStore s3{files, {.bucket = "bucket", .endpoint = "http://127.0.0.1:1"}};
  all = is_away("s3", s3) && all;
#endif
  return all;
}

// What the other components are for, and an error that one of them throws.
bool tools_work([[maybe_unused]] rs::FileStore& store) {
#ifdef WITH_bundle
  rs::export_bundle(store, "fernstone-v0.0.1", "run.tar");
  if (!rs::verify_bundle("run.tar").ok()) return false;
#endif
#ifdef WITH_yaml
  try {
    if (rs::value_from_yaml<int>(rs::to_yaml(rs::Json(12))) != 12) return false;
    static_cast<void>(rs::from_yaml("a: ["));
    return false;
  } catch (const rs::YamlError&) {
  }
#endif
#ifdef WITH_cli
  if (rs::cli::format_size(0).empty()) return false;
#endif
#ifdef WITH_inspector
  const char* const verify[] = {"resumable", "verify", "--store", "output"};
  if (rs::inspect(4, verify) != 0) return false;
#endif
  return true;
}

int main() {
  rs::FileStore store{"output"};
  const bool works = runs_once(store) && component_stores_run() && servers_are_away(store) &&
                     tools_work(store) && stores_are_checked();
  return works ? 0 : 1;
}
