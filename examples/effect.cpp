// One idea: a mail that is not sent twice. The connection breaks after the server has accepted the
// mail, so the program does not know whether it was sent. It asks the server before it tries again.
#include <iostream>
#include <map>
#include <stdexcept>

#include <resumable/resumable.hpp>

namespace rs = resumable;

/// A server that keeps one mail per idempotency key, and answers questions about them.
std::map<std::string, std::string> sent;

int main() {
  bool breaks = true;
  rs::Pipeline pipeline{"invitation"};
  const auto guest = pipeline.input("guest", std::string{"Ada"});
  const auto receipt =
      pipeline.stage("invite", inputs(guest), [&](rs::Context& ctx, const std::string& name) {
        return ctx.effect(
            "send", rs::with(name),
            [&](const std::string& key) {
              sent[key] = "Dear " + name;
              if (breaks) throw std::runtime_error("connection lost");
              return std::string{"accepted"};
            },
            [&](const std::string& key) {
              return sent.count(key) != 0 ? rs::Verified<std::string>::happened("found")
                                          : rs::Verified<std::string>::did_not_happen();
            });
      });

  rs::FileStore store{"store"};
  const rs::Report broken = rs::resume(pipeline, store, {.run = "party"});
  std::cout << to_string(broken.outcome()) << ": " << broken.stage("invite").message << '\n';

  breaks = false;
  const rs::Report report = rs::resume(pipeline, store, {.run = "party"});
  if (!report) return report.exit_code();
  std::cout << "the mail was " << report[receipt] << ", " << sent.size() << " in all\n";
  return !broken && report[receipt] == "found" && sent.size() == 1 ? 0 : 1;
}
