// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A family of distributions with the same package tool and package names.
package enum PackageSystem: Sendable {
  case debian, fedora, arch, suse

  /// The family of the running system, from `/etc/os-release`.
  package static let current = PackageSystem(osRelease: systemText("/etc/os-release"))

  /// Determines the family from the text of `os-release`; `debian` for an unknown system.
  ///
  /// - Parameter osRelease: The text, with lines such as `ID=fedora`.
  package init(osRelease: String) {
    let lines = osRelease.split(whereSeparator: \.isNewline)
    let words = lines.filter { $0.hasPrefix("ID=") || $0.hasPrefix("ID_LIKE=") }
      .flatMap { $0.split { "= \"'".contains($0) }.dropFirst() }
    let families: [(PackageSystem, [Substring])] = [
      (.debian, ["debian", "ubuntu"]), (.fedora, ["fedora", "rhel"]), (.arch, ["arch"]),
      (.suse, ["suse", "opensuse"]),
    ]
    self = families.first { !Set($0.1).isDisjoint(with: words) }?.0 ?? .debian
  }

  /// Reads at most the first 8 KiB of a file; empty if it cannot be read.
  private static func systemText(_ path: String) -> String {
    let file = path.withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return "" }
    defer { close(file) }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
      unsafe count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
