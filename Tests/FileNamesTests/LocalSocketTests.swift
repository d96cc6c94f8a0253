// SPDX-License-Identifier: Apache-2.0
import FileNames
import Glibc
import Testing

@Suite struct LocalSocketTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/downbeat-XXXXXX".utf8CString)
    let made = unsafe try #require(mkdtemp(&template))
    folder = unsafe String(cString: made)
  }

  /// Binds a socket to a path; it accepts connections once `listen` is called.
  private func bound(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let address = try #require(LocalSocketAddress(path: path))
    try #require(address.bind(descriptor) == 0)
    return descriptor
  }

  @Test func `a socket is in use while a process accepts connections on it`() throws {
    let path = FileName.text(of: Array(folder.utf8) + Array("/s\u{E9}".utf8) + [0xE9])
    #expect(!path.isLocalSocketInUse)
    let descriptor = try bound(to: path)
    #expect(!path.isLocalSocketInUse)
    #expect(listen(descriptor, 1) == 0)
    // Also once its queue is full: nothing takes the connections.
    for _ in 0..<5 { #expect(path.isLocalSocketInUse) }
    close(descriptor)
    #expect(!path.isLocalSocketInUse)
    _ = path.withSystemPath { unsafe unlink($0) }
    _ = unsafe rmdir(folder)
  }

  @Test func `a folder, a file and a long path are not sockets`() {
    #expect(!folder.isLocalSocketInUse)
    #expect(!"/proc/self/status".isLocalSocketInUse && !"".isLocalSocketInUse)
    #expect(!String(repeating: "a", count: 108).isLocalSocketInUse)
    _ = unsafe rmdir(folder)
  }
}
