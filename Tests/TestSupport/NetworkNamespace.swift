// SPDX-License-Identifier: Apache-2.0

/// A network of a command's own, with nothing but the loopback interface, up and with multicast.
public enum NetworkNamespace {
  /// What stands before the words of a command so that it runs in one, with all that it starts.
  public static let words = [
    "/usr/bin/unshare", "--map-root-user", "--net", "/bin/sh", "-c",
    "ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec \"$@\"", "alone",
  ]
}
