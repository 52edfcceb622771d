/// @file
/// What the program's commands do, once their arguments are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/cli.hpp>

#include "memo/pipeline.hpp"
#include "memo/versions.hpp"
#include "program/store.hpp"

namespace memo {

/// What the command line said.
struct Arguments {
  std::string company;
  program::Place place{};
  std::string version;
  std::string sources;
  // Of the next six, what is not given is as it was when the memo was begun, or as usual.
  std::optional<std::vector<std::string>> deck{};
  std::optional<std::string> outline{};
  std::optional<std::string> type{};
  std::optional<std::string> mode{};
  std::optional<double> min_score{};
  model::Choice choice{};
  unsigned pace = 0;
  model::Terms terms{};
  bool dry_run = false;
  resumable::ResumeOptions options{};  ///< the flags of run, resume and plan
  resumable::cli::OutputOptions output{};
};

/// Each action gives an exit code; errors of usage are thrown as resumable::Error.
class Actions {
 public:
  Actions(const Arguments& arguments, resumable::cli::Console& console);

  int run();
  int resume();
  int adopt();
  int plan();
  int status();
  int approve();
  int list();

 private:
  [[nodiscard]] std::string subject() const;
  [[nodiscard]] std::string command(std::string_view name, std::string_view run = {}) const;
  [[nodiscard]] std::string command_to_begin() const;
  [[nodiscard]] std::vector<std::string> deck() const;
  [[nodiscard]] Request request(const std::optional<Request>& before) const;
  template <class T>
  [[nodiscard]] std::optional<T> recorded(const std::string& run, const char* input);
  [[nodiscard]] std::string name_for_run();
  [[nodiscard]] std::vector<std::string> folders_with_files();
  [[nodiscard]] Settings common() const;
  [[nodiscard]] Settings settings_for_run() const;
  void check_before_writing();
  [[nodiscard]] std::string find();
  int offer_unfinished();
  [[nodiscard]] std::string folder_to_adopt();
  void warn_of_others(const std::string& run);
  /// @param options  the flags that a plan was asked for with
  [[nodiscard]] Approval approval(const std::string& run, resumable::ResumeOptions options = {});
  int go(const std::string& run, const Settings& settings, resumable::ResumeOptions options);

  const Arguments& args_;
  resumable::cli::Console& console_;
  program::Store store_;
};

}  // namespace memo
