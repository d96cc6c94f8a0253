// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The plan, the description of the command and the security document: what they name is there.
@Suite struct PlanTests {
  private static let root = ToolRun.packageFolder
  /// Names of the language and of others, in backticks like ours.
  private static let foreign: Set = [
    "ArgumentParser", "Array", "BitwiseCopyable", "Copyable", "Data", "Double", "ExistentialAny",
    "Foundation", "Glibc", "Handle", "Helper", "Type", "Impl", "Info", "InternalImportsByDefault",
    "Kernel", "Lifetimes", "Makefile", "Manager", "MemberImportVisibility", "Mutex",
    "NonisolatedNonsendingByDefault", "Sendable", "String", "Task", "Unit", "Util", "Generator",
    "Follower", "Reader", "Writer", "Parser", "Encoder", "Sources", "Name", "Synchronization",
  ]

  private static let plan = text("Documentation/Architecture.md")
  private static let command = text("Documentation/Command.md")
  private static let security = text("SECURITY.md")

  private static func text(_ path: String) -> Result<String, any Error> {
    Result { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }
  }

  /// Every Swift file of the package, by its path.
  private static let files: [String] = {
    let found = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    return (found ?? []).filter { !$0.hasPrefix(".") && !$0.contains("/.build") }
  }()

  private func words() throws -> [String] {
    try [Self.plan, Self.command, Self.security].flatMap {
      try $0.get().matches(of: /`([^`\n]+)`/).map { String($0.1) }
    }
  }

  @Test func `every file and folder that the plan names is there`() throws {
    let paths = try words().filter { word in
      word.hasSuffix(".swift") && !word.hasPrefix(".") || word.hasPrefix("Tests/")
        || word.hasPrefix("Documentation/") || word.hasPrefix("Benchmarks/")
    }
    #expect(paths.count > 10)
    for path in paths where !["Kernel.swift", "Type+Concern.swift"].contains(path) {
      let name = path.hasSuffix("/") ? String(path.dropLast()) : path
      #expect(
        Self.files.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(path) is not there")
    }
  }

  @Test func `every type and module that the plan names is there`() throws {
    let names = Set(
      try words().compactMap { $0.firstMatch(of: /^[A-Z][A-Za-z]+/).map { String($0.output) } }
    ).subtracting(Self.foreign)
    var declared: Set<String> = []
    for file in Self.files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(
        of: /(?:struct|class|enum|protocol|actor|typealias|macro) ([A-Z]\w+)/)
      {
        declared.insert(String(match.1))
      }
    }
    let folders = Set(Self.files.flatMap { $0.split(separator: "/").map(String.init) })
    let top: Set = ["README", "CONTRIBUTING", "LICENSE", "Package"]
    for name in names.subtracting(declared).subtracting(folders).subtracting(top)
    where name != name.uppercased() {
      Issue.record("\(name) is not there")
    }
  }

  @Test func `each kind of fuzzing in the security document is run by make fuzz`() throws {
    let kinds = try Self.security.get().matches(of: /fuzz\s+`([^`]+)`/).map { String($0.1) }
    #expect(kinds.count > 30)
    let makefile = try Self.text("Makefile").get()
    for kind in kinds {
      #expect(makefile.contains(" \(kind):$("), "make fuzz does not run \(kind)")
    }
  }

  @Test func `each constant in the security document is declared in the file of its type`() throws {
    let constants = try Self.security.get().matches(of: /`([A-Z]\w+)\.([a-z]\w*)`/)
      .filter { $0.2 != "swift" }
    #expect(constants.count > 5)
    for constant in constants {
      let file = try #require(Self.files.first { $0.hasSuffix("/\(constant.1).swift") })
      #expect(try Self.text(file).get().contains("static let \(constant.2)"), "\(constant.0)")
    }
  }

  @Test func `the security document has at most 200 lines, all shorter than 120 columns`() throws {
    let lines = try Self.security.get().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 200)
    for line in lines { #expect(line.count < 120, "\(line)") }
  }

  @Test func `the plan is short and its sections are numbered from 1`() throws {
    let lines = try Self.plan.get().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 350)
    let numbers = lines.compactMap { $0.firstMatch(of: #/^## (\d+)\. /#).flatMap { Int($0.1) } }
    #expect(numbers == Array(1...numbers.count))
  }
}
