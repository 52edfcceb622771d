// One idea: Ctrl+C saves and ends; the next start continues. Here the program sends itself the
// signal that Ctrl+C sends.
#include <csignal>
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

int main() {
  bool first_call = true;
  int written = 0;
  rs::Pipeline pipeline{"letters"};
  const auto names = pipeline.input("names", std::vector<std::string>{"Ada", "Bob", "Cy", "Dee"});
  const auto letters = pipeline.stage("letters", inputs(each(names)), [&](const std::string& name) {
    ++written;
    if (first_call && name == "Bob") std::raise(SIGINT);  // Bob's letter is still finished
    return "Dear " + name;
  });

  rs::FileStore store{"store"};
  const rs::StopOnSignal ctrl_c{SIGHUP, SIGINT, SIGTERM};
  const rs::Report stopped = rs::resume(pipeline, store, {.run = "may", .stop = ctrl_c.stop()});
  std::cout << to_string(stopped.outcome()) << ", exit code " << stopped.exit_code() << ", "
            << written << " letters\n";

  first_call = false;  // as in the next process
  const rs::Report report = rs::resume(pipeline, store, {.run = "may"});
  if (!report) return report.exit_code();
  std::cout << "then " << report[letters].size() << " letters, " << report.items_skipped()
            << " of them kept\n";
  return stopped.exit_code() == 130 && written == 4 ? 0 : 1;
}
