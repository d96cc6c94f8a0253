// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The process's variables and where its program lies.
enum Environment {
  /// Every variable by name.
  static var variables: [String: String] {
    var found: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe String(cString: text)
      if let equals = line.firstIndex(of: "=") {
        found[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return found
  }

  /// The path of the running program, or an empty text where the system does not say.
  static var executable: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
  }
}
