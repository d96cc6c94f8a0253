// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import JSONText
internal import WholeFiles

/// What was found in bundles, kept in a file.
enum LV2Cache {
  /// The most that is read or written: 16 MiB, for some 5,000 plug-ins.
  private static let limit = 1 << 24

  /// A bundle, and what is in it.
  struct Bundle {
    let path: String
    /// What changes when the bundle does.
    let stamp: String
    var plugins: [LV2Plugin] = []
  }

  /// The times and sizes of a bundle's folder and files; nil if it is none, or has a pipe or a device
  /// in it, at which a reader would wait.
  static func stamp(of path: String) -> String? {
    guard let names = FolderListing.readableNames(in: path), names.contains("manifest.ttl") else {
      return nil
    }
    var sum: UInt64 = 14_695_981_039_346_656_037
    for name in [""] + names {
      var status = stat()
      let file = name.isEmpty ? path : "\(path)/\(name)"
      guard file.withSystemPath({ unsafe stat($0, &status) }) == 0 else { continue }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
      let numbers = "\(name) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_size)"
      for byte in numbers.utf8 { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    }
    return String(sum, radix: 16)
  }

  /// What a file has kept, by the bundles' paths; nothing where it cannot be read.
  static func read(_ path: String?) -> [String: Bundle] {
    guard let path, let bytes = PrivateFile(path: path, limit: limit).read() else { return [:] }
    var bundles: [String: Bundle] = [:]
    var bundle: Bundle?
    for line in ByteLines(bytes) where !line.isEmpty {
      let text = String(decoding: line, as: UTF8.self)
      if let plugin = LV2Plugin(text: text) {
        bundle?.plugins.append(plugin)
      } else if let (path, stamp) = head(text) {
        if let bundle { bundles[bundle.path] = bundle }
        bundle = Bundle(path: path, stamp: stamp)
      } else {
        return [:]
      }
    }
    if let bundle { bundles[bundle.path] = bundle }
    return bundles
  }

  private static func head(_ text: String) -> (String, String)? {
    let value: JSONValue
    do { value = try JSONReader.read(Array(text.utf8)) } catch { return nil }
    guard value["v"]?.wholeNumber == 1, let path = value.fileName("path"),
      let stamp = value["stamp"]?.string
    else { return nil }
    return (path, stamp)
  }

  /// Keeps bundles in a file: a line for each, and one for each plug-in behind it.
  static func write(_ bundles: [Bundle], to path: String?) {
    guard let path else { return }
    let lines = bundles.sorted { $0.path < $1.path }.flatMap { bundle in
      [
        JSONValue.object([
          ("v", 1), ("path", .path(bundle.path)), ("stamp", .text(bundle.stamp)),
        ]).description
      ] + bundle.plugins.map(\.text)
    }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard bytes.count <= limit else { return }
    do {
      try PrivateFile(path: path, limit: limit).write(bytes)
    } catch {
      // It is found again the next time.
    }
  }
}
