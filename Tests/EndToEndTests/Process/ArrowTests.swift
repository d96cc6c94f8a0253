// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Imports, manifest and the plan's table of modules name the same arrows, and all point down.
@Suite struct ArrowTests {
  /// A row of the plan's table.
  private struct Row {
    let layer: Int
    /// The modules that it may import; nil for any below.
    let imports: Set<String>?
  }

  private static let root = ToolRun.packageFolder
  /// Modules of the toolchain.
  private static let toolchain: Set = [
    "Glibc", "Foundation", "FoundationEssentials", "Swift", "Synchronization", "Dispatch",
  ]
  /// Modules that any other may import.
  private static let everywhere: Set = ["FileNames", "SystemPackages"]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The dependencies of each target of the manifest.
  private static func manifest() throws -> [String: Set<String>] {
    let text = try text("Package.swift")
    let start =
      /\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "(?<name>[^"]+)"/
    let targets = text.matches(of: start)
    var found: [String: Set<String>] = [:]
    for (index, target) in targets.enumerated() {
      let end = index + 1 < targets.count ? targets[index + 1].range.lowerBound : text.endIndex
      let body = text[target.range.upperBound..<end]
      let list = body.firstMatch(of: /dependencies: \[(?<list>[^\]]*)\]/)?.list ?? ""
      var names = Set(list.matches(of: /"(?<name>[^"]+)"/).map { String($0.name) })
      if list.contains("argumentParser") { names.insert("ArgumentParser") }
      found[String(target.name)] = names
    }
    return found
  }

  /// The modules that each folder of `Sources` imports.
  private static func imports() throws -> [String: Set<String>] {
    let sources = root.appendingPathComponent("Sources")
    let line = /^(?:@\w+ )*(?:public |package |internal )?import (?:\w+ )?(\w+)/
      .anchorsMatchLineEndings()
    var found: [String: Set<String>] = [:]
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let folder = sources.appendingPathComponent(module)
      let files = FileManager.default.enumerator(atPath: folder.path)
      for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        found[module, default: []].formUnion(text.matches(of: line).map { String($0.1) })
      }
    }
    return found.mapValues { $0.subtracting(toolchain) }
  }

  /// The rows of the plan's table, by module.
  private static func table() throws -> [String: Row] {
    var rows: [String: Row] = [:]
    for match in try text("Documentation/Architecture.md").matches(
      of: /\n\| (?<layer>\d+) \| `(?<name>\w+)` \| [^|\n]* \| (?<imports>[^|\n]*) \|/)
    {
      let words = match.imports.matches(of: /\w+/).map { String($0.output) }
      let isAny = match.imports.hasPrefix("any module of the rows above")
      rows[String(match.name)] = Row(
        layer: Int(match.layer) ?? 0,
        imports: isAny ? nil : Set(words.filter { $0.first?.isUppercase == true }))
    }
    return rows
  }

  /// The Clang modules of the target `CLibraries`.
  private static func libraries() throws -> Set<String> {
    let map = try text("Sources/CLibraries/include/module.modulemap")
    return Set(map.matches(of: /\nmodule (\w+)/).map { String($0.1) })
  }

  @Test func `every import is declared in the manifest, and every declaration is imported`() throws
  {
    let manifest = try Self.manifest()
    let libraries = try Self.libraries()
    for (module, modules) in try Self.imports() {
      let imports = Set(modules.map { libraries.contains($0) ? "CLibraries" : $0 })
      let declared = try #require(manifest[module], "\(module) is not in the manifest")
      #expect(
        imports.subtracting(declared).isEmpty,
        "\(module) imports but does not declare \(imports.subtracting(declared).sorted())")
      let unused = declared.subtracting(imports).filter { !$0.hasPrefix("C") || $0.hasPrefix("Cl") }
      #expect(unused.isEmpty, "\(module) declares but does not import \(unused.sorted())")
    }
  }

  @Test func `every module imports only from layers below, and what the plan allows`() throws {
    let table = try Self.table()
    #expect(table.count > 30)
    for (module, imports) in try Self.imports() {
      guard let row = table[module] else { continue }
      for name in imports {
        if let below = table[name], !Self.everywhere.contains(name) {
          #expect(below.layer < row.layer, "\(module) imports \(name) of layer \(below.layer)")
        }
        if let allowed = row.imports, !Self.everywhere.contains(name) {
          #expect(allowed.contains(name), "the plan does not allow \(module) to import \(name)")
        }
      }
    }
  }

  @Test func `every Swift module of the package but its programs has a row in the plan`() throws {
    let programs: Set = ["DownbeatMain", "DownbeatManual", "SMFCheck"]
    let modules = Set(try Self.imports().keys)
    let rows = Set(try Self.table().keys)
    #expect(modules.subtracting(programs).subtracting(rows).isEmpty)
    #expect(rows.subtracting(modules) == ["AudioToolbox"])
  }
}
