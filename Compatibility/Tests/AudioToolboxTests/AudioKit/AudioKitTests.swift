// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// AudioKit's sequencer and its tests, compiled unchanged against the built modules and objects.
@Suite struct AudioKitTests {
  /// The folder of AudioKit, in `DOWNBEAT_CLIENTS` or next to the checkout.
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CLIENTS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/clients").path
  ).appendingPathComponent("audiokit")

  private static let isThere = FileManager.default.fileExists(atPath: folder.path)

  @Test(.enabled(if: isThere, "no clients' sources (set DOWNBEAT_CLIENTS)"))
  func `AudioKit's sequencer passes its own tests`() throws {
    let scratch = try ScratchFolder()
    let stub = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Stub.swift").path
    try compile(
      "AudioKit", try Self.sources(under: "Sources") + [stub], into: scratch,
      ["-emit-module", "-emit-module-path", scratch.path("AudioKit.swiftmodule")])
    let tests = try Self.sources(under: "Tests")
    let main = scratch.path("main.swift")
    let (program, count) = try Self.main(of: tests)
    #expect(count == 88)
    try Data(program.utf8).write(to: URL(fileURLWithPath: main))
    try compile("Tests", tests + [main], into: scratch, ["-I", scratch.path("")])
    let command = scratch.path("audiokit-tests")
    try run(
      "swiftc",
      ["-o", command, scratch.path("AudioKit.o"), scratch.path("Tests.o")] + (try Self.objects())
        + ["-lXCTest", "-lasound", "-lz", "-lm"])
    let result = try run(command, [], ["TMPDIR": scratch.path("")])
    #expect(result.contains("Executed 88 tests, with 0 failures"))
  }

  private static func sources(under name: String) throws -> [String] {
    let root = folder.appendingPathComponent(name)
    return try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { root.appendingPathComponent($0).path }
  }

  /// A program that runs every test except those for macOS, and the number of tests.
  private static func main(of files: [String]) throws -> (program: String, count: Int) {
    var cases: [String] = []
    var count = 0
    for file in files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
        .replacing(#/(?s)#if os\(macOS\).*?#endif/#, with: "")
      guard let name = text.firstMatch(of: /class (\w+): XCTestCase/)?.1 else { continue }
      let tests = text.matches(of: /func (test\w+)\(\)/).map { "(\"\($0.1)\", \(name).\($0.1))" }
      count += tests.count
      cases.append(
        "testCase([\(tests.joined(separator: ", "))] as [(String, (\(name)) -> () throws -> Void)])"
      )
    }
    return ("import XCTest\nXCTMain([\(cases.joined(separator: ",\n"))])\n", count)
  }

  private func compile(
    _ module: String, _ files: [String], into scratch: borrowing ScratchFolder, _ more: [String]
  ) throws {
    let maps = try BuiltModules.moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let object = scratch.path(module + ".o")
    try run(
      "swiftc",
      ["-swift-version", "5", "-module-name", module, "-wmo", "-c", "-o", object] + more
        + ["-suppress-warnings", "-I", ToolRun.program("Modules")] + maps + files)
  }

  /// The objects of the library, as they are linked into a program of the package.
  private static func objects() throws -> [String] {
    let list = ToolRun.program("downbeat-fuzz.product/Objects.LinkFileList")
    return try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      .filter { !$0.contains("downbeat_fuzz.build") }
  }

  @discardableResult
  private func run(
    _ command: String, _ arguments: [String], _ environment: [String: String?] = [:]
  ) throws -> String {
    let run = try ToolRun(arguments, environment: environment, command: command)
    #expect(run.status == 0, "\(command): \(run.errors)\n\(run.text)")
    return run.text + run.errors
  }
}
