// Objects: signed requests, whatever the network and the server do.
#include "s3/objects.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "s3/server.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Fails the first requests that `is_meant`, and no later ones.
std::function<S3Fault(const S3Request&)> first(int times, S3Fault fault,
                                               std::function<bool(const S3Request&)> is_meant) {
  return [=, left = std::make_shared<std::atomic<int>>(times)](const S3Request& request) {
    return is_meant(request) && (*left)-- > 0 ? fault : S3Fault::none;
  };
}

bool any(const S3Request& /*request*/) { return true; }

/// The error of a call that throws one.
template <class F>
Error error_of(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {Errc::bad_option, {}};
}

struct ObjectsTest : ::testing::Test {
  S3Server server;

  std::optional<std::string> get(s3::Objects& objects, const std::string& key, std::size_t size) {
    return objects.get(key, 0, size, size, {});
  }
  void put(s3::Objects& objects, const std::string& key, const std::string& bytes) {
    const StringPayload payload{bytes};
    objects.put(key, payload, s3::sha256_of(payload), {});
  }
};

TEST_F(ObjectsTest, WhatWasStoredIsReadListedAndRemoved) {
  s3::Objects objects{server.options()};
  std::map<std::string, std::uint64_t> expected;
  for (int i = 0; i < 8; ++i) {  // more than a page of the list
    const std::string key = "a/" + std::to_string(i);
    put(objects, key, std::string(static_cast<std::size_t>(i), 'x'));
    expected[key] = static_cast<std::uint64_t>(i);
  }
  put(objects, "b", "other");
  EXPECT_EQ(get(objects, "a/3", 3), "xxx");
  EXPECT_EQ(objects.get("b", 1, 3, 5, {}), "the");
  EXPECT_EQ(get(objects, "nothing", 3), std::nullopt);
  EXPECT_EQ(objects.size_of("a/7", {}), 7U);
  EXPECT_EQ(objects.size_of("nothing", {}), std::nullopt);
  std::map<std::string, std::uint64_t> listed;
  objects.list("a/", [&](s3::Listed one) { listed[one.key] = one.size; }, {});
  EXPECT_EQ(listed, expected);
  objects.remove("a/3", {});
  objects.remove("a/3", {});
  EXPECT_EQ(get(objects, "a/3", 3), std::nullopt);
  EXPECT_THAT(server.refusals(), IsEmpty());
}

TEST_F(ObjectsTest, AnyKeyIsSignedAsItIsSent) {
  s3::Objects objects{server.options()};
  for (const std::string key :
       {"%40cache/1", "a=b", "a b+c", "größe/ü", "a//b", "(a)!*'", "a&b?c"}) {
    put(objects, key, key);
    EXPECT_EQ(get(objects, key, key.size()), key);
    std::vector<std::string> found;
    objects.list(key, [&](const s3::Listed& one) { found.push_back(one.key); }, {});
    if (key.find('&') == key.npos) {
      EXPECT_EQ(found, std::vector{key});
    }
    EXPECT_TRUE(server.objects().contains(key)) << key;
  }
  EXPECT_THAT(server.refusals(), IsEmpty());
}

TEST_F(ObjectsTest, ALargeObjectIsSentInParts) {
  S3Options options = server.options();
  options.part_bytes = 1000;
  s3::Objects objects{options};
  for (const std::size_t size : {3999U, 4000U, 4001U, 5000U}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 % 251);
    const std::size_t before = server.requests();
    put(objects, "large", bytes);
    EXPECT_EQ(server.requests() - before, size < 4000 ? 1U : 2 + (size + 999) / 1000);
    EXPECT_EQ(server.objects()["large"], bytes);
  }
  EXPECT_EQ(server.uploads(), 0U);
  EXPECT_THAT(server.refusals(), IsEmpty());
}

struct Passing : ObjectsTest, ::testing::WithParamInterface<S3Fault> {};

TEST_P(Passing, AFaultThatPassesIsNotNoticed) {
  S3Options options = server.options();
  options.part_bytes = 1000;
  s3::Objects objects{options};
  const std::string bytes(5000, 'y');
  // Each request of all calls fails once, the answers to large ones in the middle.
  std::map<std::string, int> seen;
  std::mutex guard;
  server.on_request([&](const S3Request& request) {
    const std::scoped_lock lock{guard};
    return seen[request.method + request.target]++ == 0 ? GetParam() : S3Fault::none;
  });
  put(objects, "small", "small");
  put(objects, "large", bytes);
  EXPECT_EQ(get(objects, "large", bytes.size()), bytes);
  EXPECT_EQ(objects.size_of("small", {}), 5U);
  std::vector<std::string> listed;
  objects.list("", [&](const s3::Listed& one) { listed.push_back(one.key); }, {});
  EXPECT_EQ(listed, (std::vector<std::string>{"large", "small"}));
  objects.remove("small", {});
  EXPECT_EQ(server.objects().size(), 1U);
  EXPECT_THAT(server.refusals(), IsEmpty());
}

std::string name_of_fault(const ::testing::TestParamInfo<S3Fault>& test) {
  switch (test.param) {
    case S3Fault::error_500: return "Error500";
    case S3Fault::slow_down: return "SlowDown";
    case S3Fault::cut: return "Cut";
    default: return "LostAnswer";
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, Passing,
                         ::testing::Values(S3Fault::error_500, S3Fault::slow_down, S3Fault::cut,
                                           S3Fault::lost_answer),
                         name_of_fault);

TEST_F(ObjectsTest, AnAnswerThatEndsInTheMiddleIsReadAgain) {
  s3::Objects objects{server.options()};
  put(objects, "a", std::string(1000, 'z'));
  server.on_request(first(2, S3Fault::half_answer, any));
  EXPECT_EQ(get(objects, "a", 1000), std::string(1000, 'z'));
}

TEST_F(ObjectsTest, AnUploadThatFailsAtItsEndIsEndedAgain) {
  S3Options options = server.options();
  options.part_bytes = 10;
  s3::Objects objects{options};
  server.on_request(first(2, S3Fault::failed_end, [](const S3Request& request) {
    return request.method == "POST" && request.query.contains("uploadId");
  }));
  put(objects, "a", std::string(100, 'z'));
  EXPECT_EQ(server.objects()["a"], std::string(100, 'z'));
}

TEST_F(ObjectsTest, AnUploadThatIsStoppedIsTakenBack) {
  S3Options options = server.options();
  options.part_bytes = 10;
  s3::Objects objects{options};
  std::stop_source stop;
  server.on_request([&](const S3Request& request) {
    if (request.query.contains("partNumber") && request.query.at("partNumber") == "3") {
      stop.request_stop();
    }
    return S3Fault::none;
  });
  const StringPayload payload{std::string(100, 'z')};
  const Error error = error_of([&] {
    objects.put("a", payload, s3::sha256_of(payload), {.stop = stop.get_token(), .deadline = {}});
  });
  EXPECT_EQ(error.errc(), Errc::cancelled);
  EXPECT_EQ(server.uploads(), 0U);
  EXPECT_THAT(server.objects(), IsEmpty());
}

TEST_F(ObjectsTest, ASilentServerIsLeftWhenTheCallerStops) {
  s3::Objects objects{server.options()};
  std::stop_source stop;
  server.on_request([&](const S3Request&) {
    stop.request_stop();
    return S3Fault::silent;
  });
  const Error error = error_of([&] {
    static_cast<void>(objects.get("a", 0, 1, 1, {.stop = stop.get_token(), .deadline = {}}));
  });
  EXPECT_EQ(error.errc(), Errc::cancelled);
}

TEST_F(ObjectsTest, ADeadlineEndsACall) {
  s3::Objects objects{server.options()};
  for (const S3Fault fault : {S3Fault::silent, S3Fault::slow_down}) {
    server.on_request([=](const S3Request&) { return fault; });
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds{300};
    const Error error = error_of(
        [&] { static_cast<void>(objects.get("a", 0, 1, 1, {.stop = {}, .deadline = soon})); });
    EXPECT_EQ(error.errc(), Errc::cancelled);
  }
}

TEST_F(ObjectsTest, ADeadlineMayBeAsFarAwayAsOneLikes) {
  s3::Objects objects{server.options()};
  put(objects, "a", "x");
  const auto now = std::chrono::steady_clock::now();
  for (const auto end :
       {now + std::chrono::days{60}, std::chrono::steady_clock::time_point::max()}) {
    server.on_request(first(2, S3Fault::slow_down, any));
    EXPECT_EQ(objects.get("a", 0, 1, 1, {.stop = {}, .deadline = end}), "x");
  }
}

TEST_F(ObjectsTest, ARefusalSaysWhyAndWhatToDo) {
  s3::Objects objects{server.options()};
  server.on_request([](const S3Request&) { return S3Fault::refused; });
  const std::size_t before = server.requests();
  const Error error = error_of([&] { put(objects, "a", "x"); });
  EXPECT_EQ(error.errc(), Errc::store_failed);
  EXPECT_THAT(error.explain(), HasSubstr("SignatureDoesNotMatch"));
  EXPECT_THAT(error.explain(), HasSubstr("s3://bucket/a"));
  EXPECT_THAT(error.explain(), HasSubstr("check the credentials"));
  EXPECT_THAT(error.explain(), Not(HasSubstr(S3Server::secret)));
  EXPECT_EQ(server.requests() - before, 1U) << "repeating it cannot help";
}

TEST_F(ObjectsTest, AServerThatIsNotThereIsToldAtOnce) {
  S3Options options = server.options();
  options.endpoint = "http://127.0.0.1:1";
  options.timeout = std::chrono::hours{1};
  s3::Objects objects{options};
  const Error error = error_of([&] { static_cast<void>(objects.size_of("a", {})); });
  EXPECT_EQ(error.errc(), Errc::unreadable);
  EXPECT_THAT(error.explain(), HasSubstr("does not answer"));
}

TEST_F(ObjectsTest, AnErrorThatStaysIsReportedInTheEnd) {
  S3Options options = server.options();
  options.timeout = std::chrono::milliseconds{200};
  s3::Objects objects{options};
  server.on_request([](const S3Request&) { return S3Fault::slow_down; });
  const Error error = error_of([&] { put(objects, "a", "x"); });
  EXPECT_EQ(error.errc(), Errc::store_failed);
  EXPECT_THAT(error.explain(), HasSubstr("SlowDown"));
}

TEST_F(ObjectsTest, CredentialsComeFromTheFileOfProfiles) {
  const TempFolder folder;
  write_file(folder / "credentials",
             "[default]\naws_access_key_id = other\naws_secret_access_key = other\n\n"
             "# of the team\n[ team ]\n  aws_access_key_id=AKIDEXAMPLE\n"
             "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY\r\n"
             "aws_session_token = some/token==\n");
  ::unsetenv("AWS_ACCESS_KEY_ID");
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", (folder / "credentials").c_str(), 1);
  ::setenv("AWS_PROFILE", "team", 1);
  server.require_token("some/token==");
  s3::Objects objects{server.options()};
  put(objects, "a", "x");
  EXPECT_EQ(server.objects()["a"], "x");
  ::setenv("AWS_PROFILE", "nobody", 1);
  const Error error = error_of([&] { put(objects, "a", "x"); });
  EXPECT_EQ(error.errc(), Errc::bad_option);
  EXPECT_THAT(error.explain(), HasSubstr("nobody"));
  EXPECT_THAT(error.explain(), Not(HasSubstr("other")));
  ::unsetenv("AWS_PROFILE");
  ::unsetenv("AWS_SHARED_CREDENTIALS_FILE");
}

TEST_F(ObjectsTest, ThreadsShareOneObject) {
  s3::Objects objects{server.options()};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string key = std::to_string(t) + "/" + std::to_string(i);
        put(objects, key, key);
        EXPECT_EQ(get(objects, key, key.size()), key);
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(server.objects().size(), 120U);
  EXPECT_THAT(server.refusals(), IsEmpty());
}

TEST(S3Addresses, AreThoseOfAwsWithoutAnEndpoint) {
  ::unsetenv("AWS_ENDPOINT_URL");
  ::unsetenv("AWS_ENDPOINT_URL_S3");
  ::setenv("AWS_REGION", "eu-central-1", 1);
  EXPECT_EQ(s3::target_of({.bucket = "work"}).base, "https://work.s3.eu-central-1.amazonaws.com");
  EXPECT_EQ(s3::target_of({.bucket = "my.work", .region = "us-west-2"}).base,
            "https://s3.us-west-2.amazonaws.com/my.work");
  ::setenv("AWS_ENDPOINT_URL", "https://minio.example:9000/", 1);
  EXPECT_EQ(s3::target_of({.bucket = "work"}).base, "https://minio.example:9000/work");
  ::unsetenv("AWS_REGION");
  ::unsetenv("AWS_ENDPOINT_URL");
}

TEST(S3Addresses, AreRefusedWithoutShowingWhatMayBeASecret) {
  for (const S3Options& options :
       std::vector<S3Options>{{.bucket = ""},
                              {.bucket = "id:hidden@bucket"},
                              {.bucket = "bucket", .prefix = "/a"},
                              {.bucket = "bucket", .prefix = "a/../b"},
                              {.bucket = "bucket", .endpoint = "id:hidden@host"},
                              {.bucket = "bucket", .endpoint = "https://id:hidden@host"},
                              {.bucket = "bucket", .endpoint = "https://"},
                              {.bucket = "bucket", .region = "a/b"},
                              {.bucket = "bucket", .part_bytes = 0},
                              {.bucket = "bucket", .timeout = std::chrono::milliseconds{1}}}) {
    const Error error = error_of([&] { static_cast<void>(s3::target_of(options)); });
    EXPECT_EQ(error.errc(), Errc::bad_option);
    EXPECT_THAT(error.explain(), Not(HasSubstr("hidden")));
  }
}

}  // namespace
}  // namespace resumable::test
