#include "postgres/server.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

/// The folder with initdb: of Debian, the newest version.
fs::path server_programs() {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& version : fs::directory_iterator{"/usr/lib/postgresql", none}) {
    const fs::path folder = version.path() / "bin";
    if (fs::exists(folder / "initdb") && fs::exists(folder / "pg_ctl")) found.push_back(folder);
  }
  const auto newest = std::ranges::max_element(found);
  return newest == found.end() ? fs::path{} : *newest;
}

}  // namespace

bool PostgresServer::is_installed() {
  return !server_programs().empty() &&
         (::geteuid() != 0 || std::system("id postgres >/dev/null 2>&1") == 0);
}

const PostgresServer* PostgresServer::shared() {
  static const std::unique_ptr<PostgresServer> server =
      is_installed() ? std::make_unique<PostgresServer>("fsync = off") : nullptr;
  return server.get();
}

std::string PostgresServer::line(const std::string& command) const {
  const std::string as = ::geteuid() == 0 ? "cd / && runuser -u postgres -- " : "";
  return fmt::format("{}env LC_ALL=C {}/{} >>{}/log 2>&1 </dev/null", as,
                     server_programs().string(), command, folder_.path().string());
}

bool PostgresServer::run(const std::string& command) const {
  return std::system(line(command).c_str()) == 0;
}

/// A shell that waits for the end of this process, however it ends, and then stops the server.
void PostgresServer::watch() {
  const std::string folder = folder_.path().string();
  const std::string stop = line(fmt::format("pg_ctl -D {}/data -m immediate stop", folder));
  watcher_ = ::popen(
      fmt::format("exec setsid sh -c 'read end; {}; rm -rf {}'", stop, folder).c_str(), "we");
  if (watcher_ == nullptr) throw std::runtime_error("no shell");
}

PostgresServer::PostgresServer(const std::string& settings) {
  fs::permissions(folder_.path(), fs::perms::all);  // for the server's user
  const std::string data = (folder_ / "data").string();
  if (!run(fmt::format("initdb -D {} -U root -A trust --locale=C -E UTF8 -N", data))) {
    throw std::runtime_error("initdb failed: " + read_file(folder_ / "log"));
  }
  std::ofstream{data + "/postgresql.conf", std::ios::app}
      << "listen_addresses = ''\nunix_socket_directories = '" << folder_.path().string()
      << "'\nmax_connections = 60\nshared_buffers = 32MB\n"
      << settings << '\n';
  // A user named `secret` has to say so.
  const std::string rules = read_file(fs::path{data} / "pg_hba.conf");
  write_file(fs::path{data} / "pg_hba.conf", "local all secret scram-sha-256\n" + rules);
  watch();
  start();
}

PostgresServer::~PostgresServer() { static_cast<void>(::pclose(watcher_)); }

void PostgresServer::start() const {
  if (!run(fmt::format("pg_ctl -D {}/data -w -l {}/server.log start", folder_.path().string(),
                       folder_.path().string()))) {
    throw std::runtime_error("the server does not start: " + read_file(folder_ / "log"));
  }
}

void PostgresServer::stop(const std::string& mode) const {
  static_cast<void>(
      run(fmt::format("pg_ctl -D {}/data -w -m {} stop", folder_.path().string(), mode)));
}

std::shared_ptr<const void> PostgresServer::suspend() const {
  const std::string main =
      std::to_string(std::stol(read_file(folder_ / "data" / "postmaster.pid")));
  std::vector<pid_t> pids{static_cast<pid_t>(std::stol(main))};
  ::kill(pids.front(), SIGSTOP);  // it starts no others from now on
  std::ifstream children{"/proc/" + main + "/task/" + main + "/children"};
  for (pid_t pid = 0; children >> pid;) {
    pids.push_back(pid);
    ::kill(pid, SIGSTOP);
  }
  return {nullptr, [pids](const void*) {
            for (const pid_t pid : pids) ::kill(pid, SIGCONT);
          }};
}

std::string PostgresServer::url(const std::string& database) const {
  return fmt::format("postgres://root@/{}?host={}", database, folder_.path().string());
}

std::string PostgresServer::url_of(const std::string& user, const std::string& password,
                                   const std::string& database) const {
  return fmt::format("postgres://{}:{}@/{}?host={}", user, password, database,
                     folder_.path().string());
}

std::string PostgresServer::sql(const std::string& statements) const {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection{PQconnectdb(url().c_str()),
                                                                &PQfinish};
  const std::unique_ptr<PGresult, decltype(&PQclear)> result{
      PQexec(connection.get(), statements.c_str()), &PQclear};
  const auto status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(PQerrorMessage(connection.get()));
  }
  std::string text;
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    if (row > 0) text += '\n';
    for (int column = 0; column < PQnfields(result.get()); ++column) {
      if (column > 0) text += '|';
      text += PQgetvalue(result.get(), row, column);
    }
  }
  return text;
}

bool PostgresPooler::is_installed() {
  return std::system("command -v pgbouncer >/dev/null || test -x /usr/sbin/pgbouncer") == 0;
}

const PostgresPooler* PostgresPooler::shared() {
  const PostgresServer* server = PostgresServer::shared();
  static const std::unique_ptr<PostgresPooler> pooler =
      server != nullptr && is_installed() ? std::make_unique<PostgresPooler>(*server) : nullptr;
  return pooler.get();
}

/// Below a shell that ends it when this process ends, however that is.
PostgresPooler::PostgresPooler(const PostgresServer& server) {
  const std::string folder = folder_.path().string();
  fs::permissions(folder_.path(), fs::perms::all);
  write_file(folder_ / "users", "\"root\" \"\"\n");
  write_file(folder_ / "pgbouncer.ini",
             fmt::format("[databases]\n* = host={}\n[pgbouncer]\npool_mode = transaction\n"
                         "default_pool_size = 8\nmax_client_conn = 200\nlisten_port = 6432\n"
                         "unix_socket_dir = {}\nauth_type = trust\nauth_file = {}/users\n"
                         "logfile = {}/log\n",
                         server.folder().string(), folder, folder, folder));
  const std::string as = ::geteuid() == 0 ? "runuser -u postgres -- " : "";
  process_ = ::popen(
      fmt::format("cd / && exec setsid sh -c 'PATH=$PATH:/usr/sbin; {}pgbouncer -q {}/pgbouncer.ini"
                  " >/dev/null 2>&1 </dev/null & read end; kill $!; wait; rm -rf {}'",
                  as, folder, folder)
          .c_str(),
      "we");
  if (process_ == nullptr) throw std::runtime_error("no shell");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (PQping(url().c_str()) != PQPING_OK) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("PgBouncer is not there");
    std::this_thread::yield();
  }
}

PostgresPooler::~PostgresPooler() { static_cast<void>(::pclose(process_)); }

std::string PostgresPooler::url() const {
  return fmt::format("postgres://root@/postgres?host={}&port=6432", folder_.path().string());
}

}  // namespace resumable::test
