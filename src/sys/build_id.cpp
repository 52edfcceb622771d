#include "sys/build_id.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

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

/// The program itself comes first; shared libraries follow, which are not asked for.
int visit(dl_phdr_info* object, std::size_t, void* found) {
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes =
        reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr);  // NOLINT
    auto& id = *static_cast<std::string*>(found);
    id = id_among(notes, segment.p_memsz);
    if (!id.empty()) break;
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string found;
  dl_iterate_phdr(visit, &found);
  return found;
}

}  // namespace resumable::sys
