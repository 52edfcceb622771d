#include "corpus/arguments.hpp"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/records.hpp>

#include "corpus/outline.hpp"

namespace corpus {
namespace {

namespace rs = resumable;

constexpr const char* time_format = "%Y-%m-%dT%H:%M:%SZ";

std::string text_of(std::time_t time) {
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, time_format, &utc)};
}

/// Names an outline that cannot be used before anything is written.
void check_outline(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::error_code error;
  if (!in || std::filesystem::is_directory(file, error)) {
    throw rs::Error(rs::Errc::source_failed, {.what = "the outline cannot be read",
                                              .file = file.string(),
                                              .kept = "nothing was changed",
                                              .next = "name a file: --outline FILE"});
  }
  static_cast<void>(
      read_outline(std::string{std::istreambuf_iterator<char>{in}, {}}, file.string()));
}

class Resolver {
 public:
  Resolver(const Arguments& arguments, const rs::CheckpointStore& store)
      : records_(store, arguments.run_id()), anew_(arguments.no_resume) {}

  template <class T>
  T value(const std::optional<T>& said, const char* input, T otherwise) const {
    if (said) return *said;
    const auto recorded = on_record<T>(input);
    return recorded ? recorded->value : otherwise;
  }
  template <class T>
  std::optional<rs::Recorded<T>> on_record(const char* input) const {
    return anew_ ? std::nullopt : records_.input<T>(input);
  }

 private:
  rs::Records records_;
  bool anew_;
};

}  // namespace

bool is_time(const std::string& text) {
  std::tm utc{};
  // The 30th of February is read as a day of March.
  return strptime(text.c_str(), time_format, &utc) != nullptr && text_of(timegm(&utc)) == text;
}

std::string Arguments::run_id() const {
  if (city.empty()) return "corpus";
  std::string id = rs::cli::subject_of(city);
  if (!id.empty()) return id;
  throw rs::Error(rs::Errc::bad_name, {.what = "the city's name has no letter or digit",
                                       .next = "name a city: corpus generate --city Yorkbori"});
}

std::string Arguments::command(std::string_view words) const {
  std::string text = fmt::format("corpus {}", words);
  if (!city.empty()) text += " --city " + rs::cli::shell_quote(city);
  return text + place.flags() + (words == "generate" ? terms.flags() : "");
}

Settings settings_of(const Arguments& arguments, const rs::CheckpointStore& store) {
  const Resolver resolver{arguments, store};
  Settings settings;
  settings.city = arguments.city;
  settings.target_words =
      resolver.value(arguments.target_words, "target_words", settings.target_words);
  settings.section_words =
      resolver.value(arguments.section_words, "section_words", settings.section_words);
  settings.provider = resolver.value(arguments.provider, "provider", settings.provider);
  settings.start_time =
      resolver.value(arguments.start_time, "start_time", text_of(std::time(nullptr)));
  if (arguments.outline) {
    settings.outline = *arguments.outline;
  } else if (!resolver.on_record<nlohmann::json>("outline")) {
    settings.outline = CORPUS_OUTLINE;
  }
  if (settings.outline) check_outline(*settings.outline);
  settings.pace = std::chrono::milliseconds{arguments.pace};
  settings.retry_first = arguments.retry_first;
  settings.terms = arguments.terms;
  return settings;
}

}  // namespace corpus
