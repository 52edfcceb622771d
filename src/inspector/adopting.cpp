// adopt: lists folders that have files but no checkpoints, and the pipelines they belong to.
// Reading a file back needs the types of the program that writes it, so only that program can
// adopt; this prints the command to type.
#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/pattern.hpp"
#include "core/remedy.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "resumable/error.hpp"
#include "resumable/pipeline.hpp"
#include "survey/graph_view.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

namespace fs = std::filesystem;

/// A folder that might become a run.
struct Found {
  std::string run;
  fs::path folder;
  std::vector<std::string> files{};  ///< below it, sorted
  std::vector<std::string> odd{};    ///< links, sockets, pipes and devices: no program adopts them
  std::string pipeline{};            ///< whose artifacts they look like; or ""
  std::map<std::string, std::size_t> stages{};
  std::size_t others = 0;  ///< files of no stage
};

/// Finds what is below a folder, `.resumable` and hidden names left out. @throws
/// fs::filesystem_error
void read_folder(Found& found) {
  for (auto at = fs::recursive_directory_iterator{found.folder};
       at != fs::recursive_directory_iterator{}; ++at) {
    const bool is_folder = at->is_directory() && !at->is_symlink();
    if (at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
    } else if (!is_folder) {
      const bool is_file = at->is_regular_file() && !at->is_symlink();
      (is_file ? found.files : found.odd)
          .push_back(at->path().lexically_relative(found.folder).string());
    }
  }
  std::ranges::sort(found.files);
  std::ranges::sort(found.odd);
}

/// Folders beside those of the runs, by name. @throws fs::filesystem_error
std::vector<Found> folders_without_runs(CheckpointStore& store, const ArtifactFolder& folders,
                                        const std::vector<RunInfo>& runs) {
  std::set<fs::path> known;
  for (const RunInfo& run : runs) known.insert(folders.artifact_folder(run.run));
  const fs::path root = fs::path{folders.artifact_folder("any")}.parent_path();
  std::vector<Found> found;
  for (const auto& entry : fs::directory_iterator{root}) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.') || !entry.is_directory() || known.contains(entry.path())) continue;
    try {
      if (fs::path{folders.artifact_folder(name)} != entry.path()) continue;
      static_cast<void>(store.owner(name));
    } catch (const Error&) {  // no run can be called so
      continue;
    }
    Found one{.run = name, .folder = entry.path()};
    read_folder(one);
    if (!one.files.empty()) found.push_back(std::move(one));
  }
  std::ranges::sort(found, {}, &Found::run);
  return found;
}

/// The last recorded graph of each pipeline of the store.
std::vector<survey::GraphView> pipelines_of(const CheckpointStore& store,
                                            const std::vector<RunInfo>& runs) {
  std::vector<survey::GraphView> all;
  for (const RunInfo& run : runs) {
    if (run.error || std::ranges::count(all, run.pipeline, &survey::GraphView::pipeline) > 0) {
      continue;
    }
    try {
      if (const auto pipeline = recorded_pipeline(store, run.run)) {
        all.push_back(survey::graph_view(*pipeline));
      }
    } catch (const Error&) {  // another run may have it
    }
  }
  return all;
}

/// Which stage writes files of this name first; "": none.
std::string stage_of(const survey::GraphView& view, const std::string& file) {
  for (const survey::GraphNode& node : view.nodes) {
    const auto writes = [&](const std::string& text) { return core::Pattern{text}.matches(file); };
    if (std::ranges::any_of(node.artifacts, writes)) return node.name;
  }
  return {};
}

/// Compares the files with what each pipeline writes, and takes the one with the most stages.
void recognise(Found& found, const std::vector<survey::GraphView>& pipelines) {
  found.others = found.files.size();
  for (const survey::GraphView& view : pipelines) {
    std::map<std::string, std::size_t> stages;
    std::size_t others = 0;
    for (const std::string& file : found.files) {
      const std::string stage = stage_of(view, file);
      if (stage.empty()) {
        ++others;
      } else {
        ++stages[stage];
      }
    }
    if (stages.size() <= found.stages.size()) continue;
    found.stages = std::move(stages);
    found.others = others;
    found.pipeline = view.pipeline;
  }
}

Document found_json(const Found& one) {
  Document json{
      {"run", one.run},           {"folder", one.folder.string()}, {"files", one.files.size()},
      {"pipeline", one.pipeline}, {"stages", Document::array()},   {"other_files", one.others},
      {"not_read", one.odd}};
  for (const auto& [stage, files] : one.stages) {
    json["stages"].push_back({{"stage", stage}, {"files", files}});
  }
  return json;
}

std::string found_text(const Found& one) {
  std::string text = fmt::format("{}  {} and no checkpoints\n", one.folder.string(),
                                 cli::number_of(one.files.size(), "file"));
  for (const auto& [stage, files] : one.stages) {
    text += fmt::format("  {}  as stage '{}' of pipeline '{}' writes\n",
                        cli::number_of(files, "file"), stage, one.pipeline);
  }
  if (one.others > 0) {
    text += fmt::format("  {}  of no stage that is recorded in this store\n",
                        cli::number_of(one.others, "file"));
  }
  for (const std::string& name : one.odd) {
    text +=
        fmt::format("  not read: '{}' is no file but a link, a socket, a pipe or a device\n", name);
  }
  const std::string program = one.pipeline.empty() ? "PROGRAM" : cli::shell_quote(one.pipeline);
  text += fmt::format(
      "  next  {} plan --adopt   shows what each file becomes; then {} resume --adopt\n", program,
      program);
  return text;
}

[[noreturn]] void no_folder(const Request& request, const std::string& name,
                            const std::vector<Found>& all) {
  std::vector<std::string> names(all.size());
  std::ranges::transform(all, names.begin(), &Found::run);
  const std::string guess = core::did_you_mean(name, names);
  throw Error(Errc::unknown_run,
              {.what = fmt::format("{} has no folder '{}' with files{}", request.store->url(),
                                   core::printable(name),
                                   guess.empty() ? "" : ". Did you mean '" + guess + "'?"),
               .next = typed(request, "adopt") + "   prints those that could be adopted"});
}

std::vector<Found> chosen(const Request& request, const std::vector<RunInfo>& runs) {
  const auto* folders = request.store->capability<ArtifactFolder>();
  if (folders == nullptr) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("{} keeps no files for people", request.store->url()),
                 .next = "name a store that does: --store DIR"});
  }
  try {
    return folders_without_runs(*request.store, *folders, runs);
  } catch (const fs::filesystem_error& error) {
    throw Error(Errc::unreadable,
                {.what = "the folders of the store cannot be listed",
                 .file = error.path1().string(),
                 .kept = "everything",
                 .next = core::remedy(error.code(), "fix the cause") + ", then try again",
                 .cause = error.code()});
  }
}

}  // namespace

int adopt(Request& request) {
  const std::vector<RunInfo> runs = list_runs(*request.store);
  const std::string wanted = request.runs.empty() ? std::string{} : request.runs.front();
  Document json{{"schema", 1}, {"store", request.store->url()}, {"folders", Document::array()}};
  std::string text;
  std::vector<Found> all;
  if (std::ranges::count(runs, wanted, &RunInfo::run) > 0) {
    text = fmt::format(
        "run {} has checkpoints: nothing in it has to be adopted. What people change in its files "
        "is adopted when its program resumes it\n",
        wanted);
  } else {
    all = chosen(request, runs);
    if (!wanted.empty() && std::ranges::count(all, wanted, &Found::run) == 0) {
      no_folder(request, wanted, all);
    }
    if (!wanted.empty()) std::erase_if(all, [&](const Found& one) { return one.run != wanted; });
    if (all.empty()) text = "each folder with files has checkpoints: there is nothing to adopt\n";
  }
  const auto pipelines = pipelines_of(*request.store, runs);
  for (Found& one : all) {
    recognise(one, pipelines);
    json["folders"].push_back(found_json(one));
    text += found_text(one);
  }
  if (!all.empty()) {
    text +=
        "nothing was adopted: only the program that writes these files can read them back. Its "
        "name is not recorded; that of its pipeline stands for it, and flags that say which run "
        "are its own\n";
  }
  if (request.output.json) {
    print(request.console, json);
  } else {
    request.console.out << request.console.wrap(core::escaped(text));
  }
  return all.empty() ? 0 : 5;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
