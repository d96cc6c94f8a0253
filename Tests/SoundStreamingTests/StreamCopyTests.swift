// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundStreaming
import TestSupport
import Testing

/// The file for a copy: complete, or missing.
@Suite(.enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"))
struct StreamCopyTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func settings(limit: Int64 = 1 << 30, mayReplace: Bool = false) -> HTTPSettings {
    var settings = HTTPSourceTests.patient
    settings.copy = HTTPSettings.Copy(
      path: folder.path("a.aac"), byteLimit: limit, mayReplace: mayReplace)
    return settings
  }

  private var kept: [UInt8]? {
    FileManager.default.contents(atPath: folder.path("a.aac")).map { Array($0) }
  }

  private let file = HTTPSourceTests.file

  @Test func `a complete copy is kept, also after an interruption and a seek`() async throws {
    let file = file
    let server = TestHTTPServer { $1.sendFile(file, $0, limit: $0.number == 0 ? 50_000 : .max) }
    var settings = settings()
    settings.roomByteCount = 16 << 10
    let source = try HTTPSourceTests.source(server, settings: settings)
    while case let event? = try await source.next() {
      if case .bytes(_, let offset) = event, offset > 20_000 { break }
    }
    try source.seek(to: 90_000)
    _ = await HTTPSourceTests.hear(source)
    #expect(kept == nil)
    try source.seek(to: 10_000)
    let heard = await HTTPSourceTests.hear(source)
    #expect(heard.events.last == .copied(path: folder.path("a.aac")))
    #expect(kept == file)
    #expect(try folder.names() == ["a.aac"])
  }

  @Test func `an incomplete copy leaves no file`() async throws {
    let file = file
    let server = TestHTTPServer { request, connection in
      connection.sendFile(file, request, limit: 50_000)
      connection.waitForEnd()
    }
    let source = try HTTPSourceTests.source(server, settings: settings())
    while case let event? = try await source.next() {
      if case .bytes = event { break }
    }
    #expect(try folder.names().count == 1 && kept == nil)
    source.cancel()
    #expect(try await wait { try folder.names() == [] })
  }

  @Test func `a sound that exceeds the limit is played but not kept`() async throws {
    let file = file
    let server = TestHTTPServer { $1.sendFile(file, $0) }
    let heard = try await HTTPSourceTests.hear(server, settings: settings(limit: 50_000))
    #expect(heard.error == nil && heard.bytes == file)
    let refusals = heard.events.filter { if case .notCopied = $0 { true } else { false } }
    let reason = "the limit of 50000 bytes is reached"
    #expect(refusals == [.notCopied(.cannotKeep(path: folder.path("a.aac"), reason: reason))])
    #expect(try folder.names() == [])
  }

  @Test func `an existing file is refused immediately, or replaced`() async throws {
    let file = file
    let server = TestHTTPServer { $1.sendFile(file, $0) }
    _ = try folder.write("a.aac", [1, 2, 3])
    #expect(throws: HTTPError.cannotKeep(path: folder.path("a.aac"), reason: "it already exists")) {
      try HTTPSourceTests.source(server, settings: settings())
    }
    #expect(kept == [1, 2, 3])
    let heard = try await HTTPSourceTests.hear(server, settings: settings(mayReplace: true))
    #expect(heard.error == nil && kept == file)
  }
}
