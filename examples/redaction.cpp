// One idea: a field that is never recorded. The function that makes a value sees it; checkpoints,
// later stages and messages do not.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <resumable/resumable.hpp>

namespace fs = std::filesystem;
namespace rs = resumable;

struct Session {
  std::string user, token;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Session, user, token)

bool is_on_disk(const fs::path& folder, std::string_view words) {
  for (const auto& entry : fs::recursive_directory_iterator{folder}) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file{entry.path(), std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (bytes.find(words) != std::string::npos) return true;
  }
  return false;
}

int main() {
  rs::Pipeline pipeline{"sync"};
  pipeline.redact({"token"});
  const auto session = pipeline.stage("log-in", [] { return Session{"ann", "token-of-ann-5f3c"}; });
  const auto greeting = pipeline.stage("greet", inputs(session), [](const Session& of) {
    return "hello " + of.user + ", your token is " + of.token;
  });

  rs::FileStore store{"store"};
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  if (!report) return report.exit_code();
  std::cout << report[greeting] << '\n';
  return report[greeting].ends_with("[redacted]") && !is_on_disk("store", "5f3c") ? 0 : 1;
}
