// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The package's modules that were built with the tests, for programs that are compiled against
/// them.
public struct BuiltModules {
  /// The messages of a compiler or a program that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The messages.
    public let description: String
  }

  private let product: String
  private let others: [String]

  /// Creates a set of the modules of a program that is built with the tests, and others.
  public init(of product: String, and others: [String] = []) {
    self.product = product
    self.others = others
  }

  /// Compiles sources into one program.
  ///
  /// - Throws: `Failure` with the compiler's messages.
  public func compile(_ sources: [String], to program: String, _ flags: [String] = []) throws {
    let maps = try Self.moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let run = try ToolRun(
      ["-I", ToolRun.program("Modules"), "-o", program] + flags + maps + sources + (try objects())
        + ["-lasound", "-lz", "-lm"],
      command: Self.compiler)
    guard run.status == 0 else { throw Failure(description: run.errors + run.text) }
  }

  /// Returns the messages of a compiler that checks sources without writing files.
  ///
  /// - Returns: The messages, or an empty string.
  /// - Throws: An error if the compiler cannot be started.
  public func messages(of sources: [String]) throws -> String {
    let maps = try Self.moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let run = try ToolRun(
      ["-typecheck", "-suppress-warnings", "-I", ToolRun.program("Modules")] + maps + sources,
      command: Self.compiler)
    return run.errors + run.text
  }

  private static let compiler = "swiftc"

  /// Returns the maps of the Clang modules that the package's modules import.
  ///
  /// - Returns: The paths.
  /// - Throws: An error if the build folder cannot be read.
  public static func moduleMaps() throws -> [String] {
    let folder = ToolRun.program("")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .map { "\(folder)/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
      + ["CLibraries/include", "CZlib"].map {
        ToolRun.packageFolder.appendingPathComponent("Sources/\($0)/module.modulemap").path
      }
  }

  /// The objects of the program, without those of its target.
  private func objects() throws -> [String] {
    let list = ToolRun.program("\(product).product/Objects.LinkFileList")
    let own = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      .filter { !$0.contains("/DownbeatMain.build/") && !$0.contains("/downbeat_fuzz.build/") }
    let missing = others.filter { module in !own.contains { $0.contains("/\(module).build/") } }
    return try own + missing.flatMap(objects(of:))
  }

  private func objects(of module: String) throws -> [String] {
    let folder = ToolRun.program("\(module).build")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".o") }.map { "\(folder)/\($0)" }
  }
}
