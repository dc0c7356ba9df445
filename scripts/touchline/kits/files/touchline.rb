# frozen_string_literal: true

# Touchline in one file, with Ruby's standard library only (3.0 or later).
#
#     require_relative 'touchline'
#     api = Touchline::Client.new('https://api.example.org', 'tk_...', 'the secret')
#     api.pages('/v1/tournaments/5f1d.../matches', status: 'finished') { |match| puts match['home']['name'] }
#
# Keep the secret on a server: whoever has it can ask everything that you can.

require 'digest'
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'time'
require 'uri'

module Touchline
  EMPTY_BODY = Digest::SHA256.hexdigest('')

  # The query as it is signed: each key and value encoded, the pairs sorted.
  def self.canonical_query(query)
    pairs = query.b.split('&').reject(&:empty?).map do |part|
      key, value = part.split('=', 2)
      [encode(key.to_s), encode(value.to_s)]
    end
    pairs.sort.map { |pair| pair.join('=') }.join('&')
  end

  def self.encode(text)
    decoded = text.b.gsub(/%(\h\h)/n) { Regexp.last_match(1).hex.chr }
    decoded.gsub(/[^A-Za-z0-9\-._~]/n) { |byte| format('%%%02X', byte.ord) }
  end

  # The string that is signed: six fields, a line feed between them.
  def self.canonical(method, path, query, timestamp, nonce)
    path = path.b.gsub(/%\h\h/n, &:upcase)
    [method.upcase.b, path, canonical_query(query), timestamp, nonce, EMPTY_BODY].join("\n")
  end

  def self.signature(secret, text)
    OpenSSL::HMAC.hexdigest('SHA256', secret, text)
  end

  # A refusal. Branch on status and code; quote request_id when you report it.
  class Error < StandardError
    attr_reader :status, :code, :details, :request_id

    def initialize(status, body, request_id)
      error = (body.is_a?(Hash) && body['error']) || {}
      @status, @code, @details, @request_id = status, error['code'], error['details'], request_id
      super("#{status} #{@code}: #{error['message']} (request #{request_id})")
    end
  end

  class Client
    def initialize(base_url, key_id, secret, attempts: 4, longest_wait: 120, sleep: Kernel.method(:sleep))
      @base, @key_id, @secret = URI(base_url), key_id, secret
      @attempts, @longest_wait, @sleep = attempts, longest_wait, sleep
      @offset = 0 # seconds that the service's clock is ahead of ours
    end

    # The body of one GET, decoded. Raises Error where it is refused.
    def get(path, **parameters)
      query = parameters.compact.map { |key, value| "#{key}=#{Touchline.encode_value(value)}" }.join('&')
      corrected = false
      attempt = 0
      loop do
        attempt += 1
        sent = Time.now.to_i
        answer = send_once(path, query, (sent + @offset).to_s)
        status = answer.code.to_i
        body = parse(answer.body)
        return body if status == 200

        if status == 401 && !corrected && correct(answer, sent)
          corrected = true
          next
        end
        wait = wait_after(status, answer, attempt)
        raise Error.new(status, body, answer['X-Request-Id']) if wait.nil? || wait > @longest_wait || attempt >= @attempts

        @sleep.call(wait)
      end
    end

    # Every item of a list, page after page.
    def pages(path, limit: 100, **parameters)
      return enum_for(:pages, path, limit: limit, **parameters) unless block_given?

      page = 1
      loop do
        body = get(path, page: page, limit: limit, **parameters)
        body['data'].each { |item| yield item }
        break unless body['hasMore']

        page += 1
      end
    end

    private

    def send_once(path, query, timestamp)
      nonce = SecureRandom.urlsafe_base64(16) # new for each attempt
      text = Touchline.canonical('GET', path, query, timestamp, nonce)
      target = @base.path.chomp('/') + path + (query.empty? ? '' : "?#{query}")
      request = Net::HTTP::Get.new(target,
                                   'X-Service-Key' => @key_id, 'X-Service-Timestamp' => timestamp,
                                   'X-Service-Nonce' => nonce, 'X-Service-Signature' => Touchline.signature(@secret, text))
      Net::HTTP.start(@base.hostname, @base.port, use_ssl: @base.scheme == 'https', open_timeout: 30, read_timeout: 30, max_retries: 0) do |http|
        http.request(request)
      end
    end

    def parse(text)
      JSON.parse(text)
    rescue JSON::ParserError, TypeError
      nil # a proxy's page
    end

    # After a 401: takes the service's clock from Date; says whether ours was off.
    def correct(answer, sent)
      offset = Time.httpdate(answer['Date']).to_i - sent
      return false if (offset - @offset).abs < 60

      @offset = offset
      true
    rescue ArgumentError, TypeError
      false
    end

    def wait_after(status, answer, attempt)
      return (answer['Retry-After'] || 60).to_i if status == 429

      2**(attempt - 1) if [500, 502, 503, 504].include?(status)
    end
  end

  # A value of a parameter as it is sent.
  def self.encode_value(value)
    value.to_s.b.gsub(/[^A-Za-z0-9\-._~]/n) { |byte| format('%%%02X', byte.ord) }
  end
end
