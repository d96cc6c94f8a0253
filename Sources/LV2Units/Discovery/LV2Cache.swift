// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import JSONText
internal import WholeFiles

/// A file that keeps the plug-ins found in each bundle.
enum LV2Cache {
  /// Most bytes read or written: 16 MiB, enough for about 5,000 plug-ins.
  private static let limit = 1 << 24

  /// A bundle and its plug-ins.
  struct Bundle {
    let path: String
    /// Changes whenever the bundle does.
    let stamp: String
    var plugins: [LV2Plugin] = []
  }

  /// Returns a hash of the modification times and sizes of a bundle's folder and files; nil if the
  /// folder is not a bundle, or contains a pipe or a device that would block a reader.
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

  /// Returns the bundles kept in a file, by path; empty if the file cannot be read.
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

  /// Writes bundles to a file: one line for each bundle, followed by one line for each of its
  /// plug-ins.
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
      // The next discovery finds it again.
    }
  }
}
