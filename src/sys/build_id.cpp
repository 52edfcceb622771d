#include "sys/build_id.hpp"

#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include <elf.h>
#include <link.h>

namespace resumable::sys {
namespace {

constexpr std::string_view owner("GNU\0", 4);  // with its zero, as notes have it

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

std::string hex(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4U];
    text += digits[bytes[i] & 15U];
  }
  return text;
}

/// Looks for the build id among the notes of one segment, which follow one another.
std::string id_among(const unsigned char* notes, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    at += sizeof note;
    const std::size_t name = padded(note.n_namesz);
    const std::size_t content = padded(note.n_descsz);
    if (name > size - at || content > size - at - name) return {};
    const bool is_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == owner.size() &&
                       std::memcmp(notes + at, owner.data(), owner.size()) == 0;
    if (is_id) return hex(notes + at + name, note.n_descsz);
    at += name + content;
  }
  return {};
}

std::string id_of(const dl_phdr_info& object) {
  for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes =
        reinterpret_cast<const unsigned char*>(object.dlpi_addr + segment.p_vaddr);  // NOLINT
    std::string id = id_among(notes, segment.p_memsz);
    if (!id.empty()) return id;
  }
  return {};
}

/// The kernel's own object has a name without a slash.
bool may_hold_stages(std::string_view path) {
  return path.find('/') != path.npos && !path.starts_with("/lib") && !path.starts_with("/usr/lib");
}

struct Finding {
  Build build;
  bool first = true;  ///< the program comes first
};

void add(Finding& finding, const dl_phdr_info& object) {
  const std::string_view path = object.dlpi_name == nullptr ? "" : object.dlpi_name;
  if (std::exchange(finding.first, false)) {
    finding.build.program = id_of(object);
  } else if (may_hold_stages(path)) {
    std::string id = id_of(object);
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (!id.empty()) finding.build.libraries.emplace(name, std::move(id));
  }
}

int visit(dl_phdr_info* object, std::size_t /*size*/, void* finding) noexcept {
  try {
    add(*static_cast<Finding*>(finding), *object);
    return 0;
  } catch (const std::bad_alloc&) {  // must not pass through C; the rest is not compared
    return 1;
  }
}

}  // namespace

Build build() {
  Finding finding;
  dl_iterate_phdr(visit, &finding);
  return finding.build;
}

}  // namespace resumable::sys
